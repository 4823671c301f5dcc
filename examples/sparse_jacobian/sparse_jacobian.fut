-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
--
-- The Jacobian of a function whose sparsity is known, from as few directional derivatives as a colouring allows.
--
-- Columns that share no row can be computed together: the directional derivative along their sum holds them all, each in its own rows.
-- Finding such groups is colouring a graph, greedily and one column after the other: work for a CPU. The derivatives are
-- work for a GPU. Nothing below says which is which.
--
-- The colouring is the greedy partial distance-2 colouring of Gebremedhin, Manne and Pothen, "What color is your Jacobian?", SIAM Review 47(4),
-- 2005. The function is the Brusselator reaction with diffusion on a periodic grid (Prigogine and Lefever, 1968).

-- A colour for each column, such that no row has two columns of one colour, and the number of colours. The pattern is in compressed rows and in
-- compressed columns.
def colour_columns [r] [c] [e] (row_start: [r]i64) (row_columns: [e]i32) (column_start: [c]i64) (column_rows: [e]i32)
                 : (i64, *[]i32) =
  let columns = c - 1
  let (colours, _, used) =
    -- seen_by[k] is the last column that found a neighbour with colour k.
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

-- The state is x[species, i, j] in row-major order; cells are n by n.
def brusselator [m] (n: i64) (x: [m]f64) : [m]f64 =
  let cells = n * n
  let diffusion = 0.02 * f64.i64 cells
  let wrap k = if k < 0 then k + n else if k >= n then k - n else k
  let change k =
    let species = k / cells
    let cell = k % cells
    let (i, j) = (cell / n, cell % n)
    let at i j = x[species * cells + wrap i * n + wrap j]
    let laplacian = at (i - 1) j + at (i + 1) j + at i (j - 1) + at i (j + 1) - 4 * x[k]
    let (u, v) = (x[cell], x[cells + cell])
    let reaction = if species == 0 then 1 + u * u * v - 4.4 * u else 3.4 * u - u * u * v
    in reaction + diffusion * laplacian
  in map change (iota m)

-- The columns of row k: its own cell in both species, and the four neighbours. The pattern is symmetric.
def pattern (n: i64) : ([]i64, []i32) =
  let cells = n * n
  let wrap k = if k < 0 then k + n else if k >= n then k - n else k
  let column e =
    let (k, which) = (e / 6, e % 6)
    let (species, cell) = (k / cells, k % cells)
    let (i, j) = (cell / n, cell % n)
    let at i j = species * cells + wrap i * n + wrap j
    in i32.i64 (if which == 0 then cell
                else if which == 1 then cells + cell
                else if which == 2 then at (i - 1) j
                else if which == 3 then at (i + 1) j
                else if which == 4 then at i (j - 1)
                else at i (j + 1))
  in (map (* 6) (iota (2 * cells + 1)), map column (iota (12 * cells)))

-- The values of the Jacobian at x, one for each entry of the pattern in compressed rows.
def jacobian_values [m] [e] (n: i64) (colours: i64) (colour: []i32) (row_columns: [e]i32) (x: [m]f64) : [e]f64 =
  let along k = map (\column -> f64.bool (colour[column] == i32.i64 k)) (iota m)
  let compressed = map (\k -> jvp (brusselator n) x (along k)) (iota colours)
  in map (\p -> compressed[i64.i32 colour[i64.i32 row_columns[p]], p / 6]) (iota e)

def state (n: i64) : []f64 =
  let cells = n * n
  let start k = if k < cells then 1 + 0.1 * f64.sin (f64.i64 (k % cells)) else 3 + 0.1 * f64.cos (f64.i64 (k % cells))
  in map start (iota (2 * cells))

-- The number of colours, and the Jacobian in compressed rows: where each row starts, the columns, the values.
-- ==
-- entry: main marked
-- input { 3i64 } as on the host
--
-- 100 x 100 cells are c = 10000, with 2c columns, 12c entries and 12 colours. Launches make the pattern's columns, the state, a direction for each colour, the
-- derivatives along all of them, and the entries. Down come the columns, 12c x 4 bytes, for the colouring and as a result, and the entries, 12c x 8 bytes; up
-- goes the colour of each column, 2c x 4 bytes. Where the rows start is the host's alone. Most is there when the derivatives, 12 x 2c x 8 bytes, are made: as
-- many bytes of directions, the state, 2c x 8 bytes, the columns and the colours.
-- placed auto {100i64}: uploads 1 of 80000 bytes, downloads 2 of 1440000 bytes, peeks 0, pokes 0, launches 5, peak 4560000 bytes
-- On the device, where the rows start is one launch more, and 2c + 1 numbers of 8 bytes that come down.
-- placed soacs-on-device {100i64}: uploads 1 of 80000 bytes, downloads 3 of 1600008 bytes, peeks 0, pokes 0, launches 6, peak 4560000 bytes
-- no dearer: main than marked {100i64}
entry main (n: i64) : (i64, []i64, []i32, []f64) =
  let (row_start, row_columns) = pattern n
  let (colours, colour) = colour_columns row_start row_columns row_start row_columns
  let values = jacobian_values n colours colour row_columns (state n)
  in (colours, row_start, row_columns, values)

-- The same with the colouring marked as host code by its author.
#[noinline] #[cpu_function]
def marked_colour_columns [r] [c] [e] (row_start: [r]i64) (row_columns: [e]i32) (column_start: [c]i64) (column_rows: [e]i32) =
  colour_columns row_start row_columns column_start column_rows

entry marked (n: i64) : (i64, []i64, []i32, []f64) =
  let (row_start, row_columns) = pattern n
  let (colours, colour) = marked_colour_columns row_start row_columns row_start row_columns
  let values = jacobian_values n colours colour row_columns (state n)
  in (colours, row_start, row_columns, values)

-- Colours any pattern.
entry colour [r] [c] [e] (row_start: [r]i64) (row_columns: [e]i32) (column_start: [c]i64) (column_rows: [e]i32) : (i64, []i32) =
  colour_columns row_start row_columns column_start column_rows

-- One directional derivative's check: the largest difference between the Jacobian times a direction and central differences.
entry check (n: i64) : f64 =
  let (row_start, row_columns) = pattern n
  let (colours, colour) = colour_columns row_start row_columns row_start row_columns
  let x = state n
  let values = jacobian_values n colours colour row_columns x
  let direction = map (\k -> f64.sin (3 * f64.i64 k)) (indices x)
  let product = map (\r -> loop sum = 0 for p < 6 do sum + values[6 * r + p] * direction[i64.i32 row_columns[6 * r + p]]) (indices x)
  let h = 1e-5
  let ahead = brusselator n (map2 (\a b -> a + h * b) x direction)
  let behind = brusselator n (map2 (\a b -> a - h * b) x direction)
  let difference = map2 (\a b -> (a - b) / (2 * h)) ahead behind
  in f64.maximum (map2 (\a b -> f64.abs (a - b)) product difference)

-- Whether no row has two columns of one colour.
entry valid (n: i64) : bool =
  let (row_start, row_columns) = pattern n
  let (_, colour) = colour_columns row_start row_columns row_start row_columns
  let rows = 2 * n * n
  let distinct r =
    all (\p -> all (\q -> p == q || row_columns[6 * r + p] == row_columns[6 * r + q]
                          || colour[i64.i32 row_columns[6 * r + p]] != colour[i64.i32 row_columns[6 * r + q]])
                   (iota 6))
        (iota 6)
  in all distinct (iota rows)
