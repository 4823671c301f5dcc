-- Much to do for each element: worth a copy each way where the device is quicker by enough.
entry main [n] (xs: [n]f32) : [n]f32 = map (\x -> loop y = x for _i < 3000i32 do y * 0.5 + 1) xs

-- Little to do: worth a launch where the device has the host's memory, but no way across a bus.
entry light [n] (xs: [n]f32) : [n]f32 = map (\x -> loop y = x for _i < 70i32 do y * 0.5 + 1) xs
