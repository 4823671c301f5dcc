-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- Forward derivatives become array.jvp; reverse ones are not supported yet.
-- RUN: ferry-lower-test %s main | FileCheck %s
-- RUN: ferry-lower-test %s many | FileCheck %s --check-prefix=MANY
-- RUN: not ferry-lower-test %s backward 2>&1 | FileCheck %s --check-prefix=BACKWARD

-- CHECK:      func.func @main(%[[X:.*]]: f64, %[[YS:.*]]: tensor<?xf64> {array.extents = ["n"]})
-- CHECK:        %[[R:.*]]:4 = array.jvp at(%[[X]], %[[YS]] : f64, tensor<?xf64>) along(%{{.*}}, %{{.*}} : f64, tensor<?xf64>) {
-- CHECK-NEXT:   ^bb0(%{{.*}}: f64, %{{.*}}: tensor<?xf64>)
-- CHECK:          array.map
-- CHECK:          array.yield %{{.*}}, %{{.*}} : f64, tensor<?xf64>
-- CHECK:        } : f64, tensor<?xf64>, f64, tensor<?xf64>
-- CHECK:        return %[[R]]#2, %[[R]]#3
entry main [n] (x: f64) (ys: [n]f64) =
  jvp (\(x, ys) -> (f64.sin x, map (* x) ys)) (x, ys) (1, replicate n 0)

-- MANY: array.map
-- MANY:   array.jvp
entry many [n] (x: f64) (directions: [n]f64) = jmp f64.sin x directions

-- BACKWARD: derivatives.fut:[[# @LINE + 1]]:{{[0-9]+}}: error: not supported yet: reverse-mode derivatives (vjp, mjp)
entry backward (x: f64) = vjp f64.sin x 1
