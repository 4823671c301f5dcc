-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- == update of an observed parameter
-- error: this update would consume 'xs', which may not be consumed here
def f (xs: []i32) = xs with [0] = 1
-- == update by let
-- error: this update would consume 'xs', which may not be consumed here
def f (xs: []i32) = let xs[0] = 1 in xs
-- == use after an update
-- error: 'xs' is used here, but it was consumed at
def f (xs: *[]i32) = let ys = xs with [0] = 1 in (xs, ys)
-- == use of an alias
-- error: 'ys', which may share memory with 'xs', is used here, but that was consumed at
def f (n: i64) = let xs = iota n let ys = xs let zs = xs with [0] = 1 in (ys, zs)
-- == use of a slice
-- error: was consumed at
def f (n: i64) = let xs = iota n let ys = xs[1:] let zs = xs with [0] = 1 in (ys, zs)
-- == consumed twice
-- error: 'xs' is used here, but it was consumed at
def g (xs: *[]i32) = xs with [0] = 1
def f (xs: *[]i32) = (g xs, g xs)
-- == result declared unique
-- error: the result is declared with '*', but shares memory with 'xs'
def f (xs: []i32) : *[]i32 = xs
-- == result parts that share
-- error: a part of the result declared with '*' shares memory with another part
def f (xs: *[]i32) : (*[]i32, *[]i32) = (xs, xs)
-- == argument that shares with itself
-- error: this argument is consumed, but its parts share memory
def g (t: *([]i64, []i64)) = t.0
def f (n: i64) = let x = iota n in g (x, x)
-- == argument that shares with another
-- error: this argument is consumed, but shares memory with another argument
def g (xs: *[]i32) (ys: []i32) = xs with [0] = ys[0]
def f (xs: *[]i32) = g xs xs
-- == consuming function as an argument
-- error: the argument has type '*[_]i32 -> *[_]i32'
def set (xs: *[]i32) = xs with [0] = 1
def apply 'a 'b (f: a -> b) (x: a) = f x
def f (xs: *[]i32) = apply set xs
-- == consumption in a lambda
-- error: this update would consume 'xs', which may not be consumed here
def f (xs: *[]i32) = map (\i -> (xs with [i] = 1)[0]) [0, 1]
-- == consumption in a loop
-- error: this update would consume 'xs', which may not be consumed here
def f (xs: *[]i32) = loop a = 0 for i < 3 do a + (xs with [0] = 1)[0]
-- == loop result shares with outside
-- error: the loop consumes 'ys', but what the body returns for it shares memory with 'zs'
def f (xs: *[]i32) (zs: []i32) = loop ys = xs for i < 3 do let ys[0] = 1 in zs
-- == loop result parts share
-- error: but what the body returns for it shares memory with another part of the result
def f (n: i64) = loop (xs: *[]i32, ys: *[]i32) = (replicate n 0, replicate n 0) for i < 10 do (xs, xs)
-- == loop over an observed initial value
-- error: the loop would consume 'xs', which may not be consumed here
def f (xs: []i32) = loop ys = xs for i < 3 do ys with [0] = i
-- == loop over parts that share
-- error: the loop consumes parts of its initial value that share memory
def f (xs: *[]i32) = loop (a, b) = (xs, xs) for i < 3 do (a with [0] = 1, b with [0] = 2)
-- == constant returned
-- error: the function's result shares memory with 'c', a constant
def c = [1, 2, 3]
def f () = c
-- == constant updated
-- error: this update would consume 'c', which may not be consumed here
def c = [1, 2, 3]
def f () = c with [0] = 1
-- == value shares with the array updated
-- error: the new value shares memory with the array that is updated
def f (xs: *[][]i32) = xs with [0] = xs[1]
-- == captured array consumed before the call
-- error: was consumed at
def f (xs: *[]i32) = let g (i: i64) = xs[i] let ys = xs with [0] = 1 in g (i64.i32 ys[0])
-- == partial application that consumes
-- error: the value of this 'let' contains a function and consumes something
def update (xs: *[]i32) (i: i32) (y: i32) = xs with [i] = y
def f (xs: *[]i32) = let g = update xs in (g 0 0, g 0 0)
-- == hidden consumption
-- error: the body has type
def g (xs: *[]f32) : f32 = 0
def f : []f32 -> f32 = g
-- == field consumed twice
-- error: is used here, but
def f = let r = {a = [1, 2]} let x = r.a with [0] = 1 in (x, r.a)
-- == consumed in one branch
-- error: 'xs' is used here, but it was consumed at
def f (xs: *[]i32) (b: bool) = let ys = if b then xs with [0] = 1 else [1] in (xs, ys)
-- == what the other arm shares stays shared
-- error: 'zs' is used here, but it was consumed at
def f (xs: *[]i32) (zs: *[]i32) (b: bool) =
  let ys = if b then xs with [0] = 1 else zs
  let ys[1] = 2
  in (ys, zs)
-- == an older name of what one arm consumes
-- error: 'ys', which may share memory with 'xs', is used here, but that was consumed at
def f (n: i64) (b: bool) =
  let xs = iota n
  let ys = xs
  let zs = if b then xs with [0] = 1 else ys
  in (zs, ys)
-- == an arm of a match shares with outside
-- error: the result is declared with '*', but shares memory with 'zs'
def f (xs: *[]i32) (zs: []i32) (n: i32) : *[]i32 =
  match n case 0 -> xs with [0] = 1 case 1 -> xs case _ -> zs
-- == argument that consumes and is a function
-- error: this argument contains a function and consumes something
def put (xs: *[]i32) (x: i32) : *[]i32 = xs with [0] = x
def twice (f: i32 -> []i32) = (f 1, f 2)
def f (xs: *[]i32) = twice (put xs)
-- == parts of what a function returned
-- error: was consumed at
def both (n: i64) : ([]i64, []i64) = let a = iota n in (a, a)
def f (n: i64) = let (a, b) = both n let a[0] = 1 in (a, b)
-- == parts of what a function returned declared unique
-- error: a part of the result declared with '*' shares memory with another part, through 'the result of twin'
def twin x = (x, x)
def f (xs: []i32) : (*[]i32, *[]i32) = twin (copy xs)
-- == parts of what a loop returned
-- error: a part of the result declared with '*' shares memory with another part
def f (n: i64) : (*[]i64, *[]i64) =
  loop (a, b) = (iota 3, iota 3) for i < n do let c = iota 3 in (c, c)
-- == loop body that reads the initial value
-- error: this may share memory with 'xs', which the loop around it consumes as its initial value
def f (xs: *[]i32) = let ys = xs[1:] in loop zs = xs for i < 3 do zs with [i] = ys[0]
-- == loop condition that reads the initial value
-- error: this may share memory with 'xs', which the loop around it consumes as its initial value
def f (xs: *[]i32) =
  loop (ys, i) = (xs, 0i64) while xs[0] > 0 do (ys with [i] = 0, i + 1)
-- == function that reads the initial value
-- error: which the loop around it consumes as its initial value
def f (xs: *[]i32) = let at i = xs[i] in loop ys = xs for i < 3i64 do ys with [i] = at i
-- == loop over a part declared without a star
-- error: this update would consume 'ys', which may not be consumed here
def f (xs: *[]i32) = loop (ys: []i32) = xs for i < 3 do ys with [i] = 0
-- == constant returned by a lambda
-- error: the function's result shares memory with 'c', a constant
def c = [1, 2, 3]
def f (n: i64) = map (\_ -> c) (iota n)
-- == update of a constant from a module
-- error: this update would consume 'm.none', which may not be consumed here
module m = { def none = [] }
def f = m.none with [0] = 1i32
