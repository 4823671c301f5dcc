-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
def colour_columns [r] [c] [e] (row_start: [r]i64) (row_columns: [e]i32) (column_start: [c]i64) (column_rows: [e]i32)
                 : (i64, *[]i32) =
  let columns = c - 1
  let (colours, _, used) =
    -- As examples/sparse_jacobian, under #[unsafe]; seen_by[k] is the last column that found a neighbour with colour k.
    #[unsafe]
    loop (colours, seen_by, used) = (replicate columns (-1i32), replicate (columns + 1) (-1i32), 0i64) for column < columns do
      let seen_by =
        loop seen_by for p < column_start[column + 1] - column_start[column] do
          let row = i64.i32 column_rows[column_start[column] + p]
          in loop seen_by for q < row_start[row + 1] - row_start[row] do
               let colour = colours[i64.i32 row_columns[row_start[row] + q]]
               in if colour >= 0 then seen_by with [i64.i32 colour] = i32.i64 column else seen_by
      let colour = loop colour = 0i64 while seen_by[colour] == i32.i64 column do colour + 1
      in (colours with [column] = i32.i64 colour, seen_by, i64.max used (colour + 1))
  in (used, colours)

entry colour [r] [c] [e] (row_start: [r]i64) (row_columns: [e]i32) (column_start: [c]i64) (column_rows: [e]i32) : (i64, []i32) =
  colour_columns row_start row_columns column_start column_rows
