-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- == missing value
-- error: the module has no value 'y', which its module type asks for
module m : { val x : i32 val y : i32 } = { def x = 1i32 }
-- == missing type
-- error: the module has no type 't', which its module type asks for
module m : { type t } = { def x = 1i32 }
-- == missing module
-- error: the module has no module 'n', which its module type asks for
module m : { module n : { val x : i32 } } = { def x = 1i32 }
-- == value of another type
-- error: the module's 'x' has type 'bool', but its module type asks for 'i32'
module m : { val x : i32 } = { def x = true }
-- == value not general enough
-- error: the module's 'id' has type 'i32 -> i32', but its module type asks for 't -> t'
module m : { val id 't : t -> t } = { def id (x: i32) = x }
-- == type of another definition
-- error: type 't' is 'f32', but the module type says 'i32'
module m : { type t = i32 } = { type t = f32 }
-- == hidden name
-- error: unknown name 'm.y'
module m : { val x : i32 } = { def x = 1i32 def y = 2i32 }
def f = m.y
-- == local name
-- error: unknown name 'm.x'
module m = { local def x = 1i32 }
def f = m.x
-- == abstract type is not its definition
-- error: this expression has type 'm.t', but 'i32' is needed
module m : { type t val x : t } = { type t = i32 def x = 1i32 }
def f = m.x : i32
-- == abstract types are not compared
-- error: the left operand of '==' has type 'm.t'
module m : { type t val x : t } = { type t = i32 def x = 1i32 }
def f = m.x == m.x
-- == lifted type for an unlifted one
-- error: type 't' may be a function or have unknown sizes
module m : { type t } = { type^ t = i32 -> i32 }
-- == parametric module not applied
-- error: module 'p' is a parametric module
module p (X: { val x : i32 }) = { def y = X.x }
def f = p.y
-- == parametric module opened
-- error: a parametric module cannot be opened
module p (X: { val x : i32 }) = { def y = X.x }
open p
-- == applied to the wrong module
-- error: the module has no value 'x', which its module type asks for
module p (X: { val x : i32 }) = { def y = X.x }
module m = p { def z = 1i32 }
-- == application of a plain module
-- error: this module is applied, but it is not parametric
module m = { def x = 1i32 }
module n = m { def y = 1i32 }
-- == error in a parametric module that is not applied
-- error: the right operand of '+' has type 'bool'
module p (X: { val x : i32 }) = { def y = X.x + true }
-- == with of a type that is not there
-- error: the module type has no type 'u'
module m : { type t } with u = i32 = { type t = i32 }
-- == with of a type that is defined
-- error: type 't' is not open in the module type
module m : { type t = i32 } with t = f32 = { type t = f32 }
-- == name specified twice
-- error: 'x' is specified twice in this module type
module type mt = { val x : i32 val x : i32 }
-- == size not given in a specification
-- error: the parameter of a function type needs a size here
module type mt = { val sum : []i32 -> i32 }
-- == entry inside a module
-- error: an entry point may not be declared inside a module
module m = { entry f (x: i32) = x }
-- == import of a missing file
-- error: cannot read the imported file
import "no/such/file"
-- == other parameters of a type
-- error: type 't' has other parameters than the module type says
module m : { type t 'a } = { type t = i32 }
-- == hidden size that no array has
-- error: size parameter 'm' of type 'grid', which the module type hides, is not by itself the size of an array
module m : { type grid [m] } = { type grid [m] = [m * 2]f32 }
-- == type with fewer parameters than it had
-- error: parameter 'a' of type 'box' takes fewer types than it must
module type boxes = { type^ box '^a }
module type small = boxes with box 'a = a
-- == constant of a type of unknown size
-- error: the module's 'none' has type
module m : { type~ bag val none : bag } = { type~ bag = []i32 def none = [] }
-- == constants of a type of unknown size
-- error: the module's 'some' has type
module m : { type~ bag val some : (bag, bag) } = { type~ bag = []i32 def some = ([], [1]) }
-- == intrinsics as a module
-- error: the module 'intrinsics' may not be used as a whole
module m = intrinsics
