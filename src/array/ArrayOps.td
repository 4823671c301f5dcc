// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef FERRY_ARRAY_OPS_TD
#define FERRY_ARRAY_OPS_TD

include "ArrayDialect.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Array_Op<string mnemonic, list<Trait> traits = []> : Op<Array_Dialect, mnemonic, traits>;

def Array_Scalar : AnyTypeOf<[I1, I8, I16, I32, I64, F16, F32, F64]>;
def Array_Tensor : TensorOf<[I1, I8, I16, I32, I64, F16, F32, F64]>;
def Array_Value : AnyTypeOf<[Array_Scalar, Array_Tensor], "a scalar or an array">;

// Memory of its own: two equal ones must not be merged, since each may be consumed; an unused one may be removed.
def Array_FreshTensor : Res<Array_Tensor, "", [MemAlloc]>;

// Runs where its array operands live: on the host, or inside a launch. Checked by the trait, in SideVerifier.cpp.
def RunsOnItsSide : NativeOpTrait<"RunsOnItsSide"> { let cppNamespace = "::ferry::array"; }
// The result is an element of the operand named `array`.
def ResultIsElement : TypesMatchWith<"result is an element of the array", "array", "result",
                                     "::llvm::cast<::mlir::ShapedType>($_self).getElementType()">;
// Computes a descriptor only: legal anywhere, the result shares its operand's memory and side.
def IsView : NativeOpTrait<"IsView"> { let cppNamespace = "::ferry::array"; }

//===- Creation -------------------------------------------------------------------------------------------------------===//

def Array_DimOp : Array_Op<"dim", [Pure]> {
  let summary = "extent of one dimension of an array";
  let arguments = (ins Array_Tensor:$array, I64Attr:$dimension);
  let results = (outs I64:$result);
  let assemblyFormat = "$array `,` $dimension attr-dict `:` type($array)";
  let builders = [OpBuilder<(ins "::mlir::Value":$array, "int64_t":$dimension), [{
    build($_builder, $_state, $_builder.getI64Type(), array, $_builder.getI64IntegerAttr(dimension));
  }]>];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Array_IotaOp : Array_Op<"iota", [RunsOnItsSide, AllTypesMatch<["start", "step"]>]> {
  let summary = "start, start + step, … of length n; n < 0 gives an empty array";
  let arguments = (ins I64:$size, AnyTypeOf<[I8, I16, I32, I64]>:$start, AnyTypeOf<[I8, I16, I32, I64]>:$step);
  let results = (outs Array_FreshTensor:$result);
  let assemblyFormat = "$size `,` $start `,` $step attr-dict `:` type($start) `->` type($result)";
  let hasVerifier = 1;
}

def Array_ReplicateOp : Array_Op<"replicate", [RunsOnItsSide]> {
  let summary = "an array of the given outer extents, each element (or row) the value";
  let arguments = (ins Variadic<I64>:$sizes, Array_Value:$value);
  let results = (outs Array_FreshTensor:$result);
  let assemblyFormat = "`(` $sizes `)` $value attr-dict `:` type($value) `->` type($result)";
  let hasVerifier = 1;
}

def Array_LiteralOp : Array_Op<"literal", [RunsOnItsSide, SameTypeOperands]> {
  let summary = "an array of the given scalars or rows (at least one)";
  let arguments = (ins Variadic<Array_Value>:$elements);
  let results = (outs Array_FreshTensor:$result);
  let assemblyFormat = "$elements attr-dict `:` type($elements) `->` type($result)";
  let hasVerifier = 1;
}

def Array_AllocOp : Array_Op<"alloc", []> {
  let summary = "an array with undefined contents";
  let description = [{
    Takes memory and runs nothing: the host makes device arrays too. An array that is `unbacked` takes none: nothing reads or writes its elements, only its extents.
  }];
  let arguments = (ins Variadic<I64>:$sizes, UnitAttr:$unbacked);
  let results = (outs Array_FreshTensor:$result);
  let assemblyFormat = "`(` $sizes `)` (`unbacked` $unbacked^)? attr-dict `:` type($result)";
  let hasVerifier = 1;
}

//===- Second-order array combinators ----------------------------------------------------------------------------------===//


def Array_MapOp : Array_Op<"map", [RunsOnItsSide, AttrSizedOperandSegments, RecursiveMemoryEffects]> {
  let summary = "one independent evaluation of the body per point of a grid";
  let description = [{
    The body's arguments are the point's indices (an `i64` per extent in `sizes`), then the element of each input at that point: a scalar, or a
    row if the input has more dimensions than the grid. Every yielded value (scalar or row) becomes an element of a result. Values from outside may be used.
    The extents of the inputs equal `sizes`: whoever makes the operation has checked it.

    ```mlir
    %r = array.map (%n) ins(%xs : tensor<?xf32>) {
    ^bb0(%i: i64, %x: f32):
      %y = arith.addf %x, %x : f32
      array.yield %y : f32
    } : tensor<?xf32>
    ```
  }];
  let arguments = (ins Variadic<I64>:$sizes, Variadic<Array_Tensor>:$inputs);
  let results = (outs Variadic<Array_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "`(` $sizes `)` (`ins` `(` $inputs^ `:` type($inputs) `)`)? $body attr-dict (`:` type($results)^)?";
  let hasVerifier = 1;
}

def Array_ReduceOp : Array_Op<"reduce", [RunsOnItsSide, AttrSizedOperandSegments, RecursiveMemoryEffects]> {
  let summary = "reduction, by an associative operator, of what a body yields at each point";
  let description = [{
    The body is as in `array.map` and yields k values; the operator takes k accumulated and k new values and yields k. `neutral` are the operator's neutral values and
    the results for an empty grid. The operator is associative, not necessarily commutative unless the unit attribute `commutative` is there.

    ```mlir
    %s = array.reduce (%n) ins(%xs : tensor<?xf32>) neutral(%zero : f32) {
    ^bb0(%i: i64, %x: f32):
      array.yield %x : f32
    } operator {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      array.yield %c : f32
    } : f32
    ```
  }];
  let arguments = (ins Variadic<I64>:$sizes, Variadic<Array_Tensor>:$inputs, Variadic<Array_Value>:$neutral, UnitAttr:$commutative);
  let results = (outs Variadic<Array_Value>:$results);
  let regions = (region SizedRegion<1>:$body, SizedRegion<1>:$combiner);
  let assemblyFormat = [{
    `(` $sizes `)` (`ins` `(` $inputs^ `:` type($inputs) `)`)? `neutral` `(` $neutral `:` type($neutral) `)` $body `operator` $combiner
    attr-dict `:` type($results)
  }];
  let hasVerifier = 1;
}

def Array_ScanOp : Array_Op<"scan", [RunsOnItsSide, AttrSizedOperandSegments, RecursiveMemoryEffects]> {
  let summary = "inclusive prefix sums, by an associative operator, of what a body yields at each point of a one-dimensional grid";
  let arguments = (ins I64:$size, Variadic<Array_Tensor>:$inputs, Variadic<Array_Value>:$neutral);
  let results = (outs Variadic<Array_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body, SizedRegion<1>:$combiner);
  let assemblyFormat = [{
    `(` $size `)` (`ins` `(` $inputs^ `:` type($inputs) `)`)? `neutral` `(` $neutral `:` type($neutral) `)` $body `operator` $combiner
    attr-dict `:` type($results)
  }];
  let hasVerifier = 1;
}

def Array_HistOp : Array_Op<"hist", [RunsOnItsSide, AttrSizedOperandSegments, RecursiveMemoryEffects]> {
  let summary = "generalised histogram: combines values into the bins of consumed arrays";
  let description = [{
    At each point the body yields one `i64` index per bin dimension (`rank` of them), then one value per destination. A point whose indices are out of bounds is
    ignored. The operator combines bin and value; it is associative and commutative. The results are the destinations, updated in place.
  }];
  let arguments = (ins Variadic<I64>:$sizes, Variadic<Array_Tensor>:$inputs, Variadic<Array_Tensor>:$destinations, Variadic<Array_Value>:$neutral,
                   I64Attr:$rank);
  let results = (outs Variadic<Array_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body, SizedRegion<1>:$combiner);
  let assemblyFormat = [{
    `(` $sizes `)` (`ins` `(` $inputs^ `:` type($inputs) `)`)? `into` `(` $destinations `:` type($destinations) `)`
    `neutral` `(` $neutral `:` type($neutral) `)` `rank` $rank $body `operator` $combiner attr-dict `:` type($results)
  }];
  let hasVerifier = 1;
}

def Array_ScatterOp : Array_Op<"scatter", [RunsOnItsSide, AttrSizedOperandSegments, RecursiveMemoryEffects]> {
  let summary = "writes what a body yields into consumed arrays";
  let description = [{
    At each point the body yields one `i64` index per index dimension (`rank` of them), then one value (scalar or row) per destination. A point whose indices are out of
    bounds is ignored; two points that write one element must write the same value. The results are the destinations, updated in place.
  }];
  let arguments = (ins Variadic<I64>:$sizes, Variadic<Array_Tensor>:$inputs, Variadic<Array_Tensor>:$destinations, I64Attr:$rank);
  let results = (outs Variadic<Array_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `(` $sizes `)` (`ins` `(` $inputs^ `:` type($inputs) `)`)? `into` `(` $destinations `:` type($destinations) `)` `rank` $rank $body
    attr-dict `:` type($results)
  }];
  let hasVerifier = 1;
}

def Array_FilterOp : Array_Op<"filter", [RunsOnItsSide, RecursiveMemoryEffects]> {
  let summary = "the points at which a body yields true, in order";
  let description = [{
    At each point of a one-dimensional grid the body yields an `i1`, then one value per result array. The first result is how many points are kept; each further
    result has the grid's extent, its first `count` elements are the kept values and the rest are undefined. `array.slice` then makes the exact array.
  }];
  let arguments = (ins I64:$size, Variadic<Array_Tensor>:$inputs);
  let results = (outs I64:$count, Variadic<Array_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "`(` $size `)` (`ins` `(` $inputs^ `:` type($inputs) `)`)? $body attr-dict `:` type($results)";
  let hasVerifier = 1;
}

def Array_YieldOp : Array_Op<"yield", [Pure, Terminator, ReturnLike]> {
  let summary = "ends a region of an array operation with its values";
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "($operands^ `:` type($operands))? attr-dict";
}

//===- Elements, views and in-place updates --------------------------------------------------------------------------------===//

def Array_ElementOp : Array_Op<"element", [RunsOnItsSide, ResultIsElement, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "reads one element; checked";
  let arguments = (ins Array_Tensor:$array, Variadic<I64>:$indices, UnitAttr:$unchecked);
  let results = (outs Array_Scalar:$result);
  let assemblyFormat = "$array `[` $indices `]` (`unchecked` $unchecked^)? attr-dict `:` type($array)";
  let extraClassDefinition = [{ void $cppClass::getEffects(::llvm::SmallVectorImpl<::mlir::MemoryEffects::EffectInstance> &) {} }];
  let hasVerifier = 1;
}

def Array_RowOp : Array_Op<"row", [IsView, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "a view of the sub-array at the given leading indices; checked";
  let arguments = (ins Array_Tensor:$array, Variadic<I64>:$indices, UnitAttr:$unchecked);
  let results = (outs Array_Tensor:$result);
  let assemblyFormat = "$array `[` $indices `]` (`unchecked` $unchecked^)? attr-dict `:` type($array) `->` type($result)";
  let extraClassDefinition = [{ void $cppClass::getEffects(::llvm::SmallVectorImpl<::mlir::MemoryEffects::EffectInstance> &) {} }];
  let hasVerifier = 1;
}

def Array_SliceOp : Array_Op<"slice", [IsView, AttrSizedOperandSegments, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "a view: lengths[d] elements from starts[d] in steps of strides[d], for each dimension d; checked";
  let description = [{ A stride may be negative. Fails unless every element is within the array and no length is negative. }];
  let arguments = (ins Array_Tensor:$array, Variadic<I64>:$starts, Variadic<I64>:$lengths, Variadic<I64>:$strides, UnitAttr:$unchecked);
  let results = (outs Array_Tensor:$result);
  let assemblyFormat = [{
    $array `[` $starts `]` `[` $lengths `]` `[` $strides `]` (`unchecked` $unchecked^)? attr-dict `:` type($array) `->` type($result)
  }];
  let extraClassDefinition = [{ void $cppClass::getEffects(::llvm::SmallVectorImpl<::mlir::MemoryEffects::EffectInstance> &) {} }];
  let hasVerifier = 1;
}

def Array_PermuteOp : Array_Op<"permute", [Pure, IsView]> {
  let summary = "a view whose dimension d is the operand's dimension permutation[d]";
  let arguments = (ins Array_Tensor:$array, DenseI64ArrayAttr:$permutation);
  let results = (outs Array_Tensor:$result);
  let assemblyFormat = "$array $permutation attr-dict `:` type($array) `->` type($result)";
  let hasVerifier = 1;
}

def Array_ReshapeOp : Array_Op<"reshape", [Pure, IsView]> {
  let summary = "the same elements in row-major order under other extents, whose product whoever makes the operation has checked";
  let description = [{
    Shares the operand's memory where the operand is contiguous, else copies. Outside of a launch a reshape of an array on the device is of a contiguous one.
  }];
  let arguments = (ins Array_Tensor:$array, Variadic<I64>:$sizes);
  let results = (outs Array_Tensor:$result);
  let assemblyFormat = "$array `to` `(` $sizes `)` attr-dict `:` type($array) `->` type($result)";
  let hasVerifier = 1;
}

def Array_ConcatOp : Array_Op<"concat", [RunsOnItsSide, SameTypeOperands]> {
  let summary = "the operands one after the other along the outer dimension";
  let arguments = (ins Variadic<Array_Tensor>:$arrays);
  let results = (outs Array_FreshTensor:$result);
  let assemblyFormat = "$arrays attr-dict `:` type($arrays) `->` type($result)";
  let hasVerifier = 1;
}

def Array_CopyOp : Array_Op<"copy", [RunsOnItsSide, SameOperandsAndResultType]> {
  let summary = "a fresh, contiguous array with the operand's contents";
  let arguments = (ins Array_Tensor:$array);
  let results = (outs Array_FreshTensor:$result);
  let assemblyFormat = "$array attr-dict `:` type($array)";
}

def Array_UpdateOp : Array_Op<"update", [RunsOnItsSide, AllTypesMatch<["array", "result"]>,
                                         DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "the consumed array with one element (or row, if the value is an array) replaced; checked";
  let arguments = (ins Array_Tensor:$array, Variadic<I64>:$indices, Array_Value:$value, UnitAttr:$unchecked);
  let results = (outs Array_Tensor:$result);
  let assemblyFormat = "$array `[` $indices `]` `=` $value (`unchecked` $unchecked^)? attr-dict `:` type($array) `,` type($value)";
  let extraClassDefinition = [{ void $cppClass::getEffects(::llvm::SmallVectorImpl<::mlir::MemoryEffects::EffectInstance> &) {} }];
  let hasVerifier = 1;
}

def Array_InsertSliceOp : Array_Op<"insert_slice", [RunsOnItsSide, AttrSizedOperandSegments, AllTypesMatch<["array", "result"]>,
                                                    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "the consumed array with a strided box replaced; checked";
  let description = [{ The box is as in `array.slice`; the extents of `value` equal `lengths`. }];
  let arguments = (ins Array_Tensor:$array, Variadic<I64>:$starts, Variadic<I64>:$lengths, Variadic<I64>:$strides, Array_Tensor:$value,
                   UnitAttr:$unchecked);
  let results = (outs Array_Tensor:$result);
  let assemblyFormat = [{
    $array `[` $starts `]` `[` $lengths `]` `[` $strides `]` `=` $value (`unchecked` $unchecked^)? attr-dict `:` type($array) `,` type($value)
  }];
  let extraClassDefinition = [{ void $cppClass::getEffects(::llvm::SmallVectorImpl<::mlir::MemoryEffects::EffectInstance> &) {} }];
  let hasVerifier = 1;
}

def Array_AssertOp : Array_Op<"assert", [RunsOnItsSide, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "ends the program with a message where the condition is false";
  let description = [{ `{0}`, `{1}`, … in the message are replaced by the values. }];
  let arguments = (ins I1:$condition, StrAttr:$message, Variadic<I64>:$values);
  let assemblyFormat = "$condition `,` $message (`(` $values^ `)`)? attr-dict";
  let hasVerifier = 1;
}

//===- Derivatives ------------------------------------------------------------------------------------------------------------===//

def Array_JvpOp : Array_Op<"jvp", [AttrSizedOperandSegments, RecursiveMemoryEffects]> {
  let summary = "a function's value and its directional derivative; the differentiate pass replaces it";
  let description = [{
    The body takes the primal inputs and yields the function's results; it may use values from outside, whose derivative is zero. Each input has a tangent of the
    same type. The results are the body's values, then their tangents.
  }];
  let arguments = (ins Variadic<Array_Value>:$primals, Variadic<Array_Value>:$tangents);
  let results = (outs Variadic<Array_Value>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `at` `(` $primals `:` type($primals) `)` `along` `(` $tangents `:` type($tangents) `)` $body attr-dict `:` type($results)
  }];
  let hasVerifier = 1;
}

//===- Placement ----------------------------------------------------------------------------------------------------------------===//

def Array_PinOp : Array_Op<"pin", [RecursiveMemoryEffects]> {
  let summary = "code that must run on one side, usually the body of a marked function; the place pass dissolves it";
  let description = [{ Inside a body of a SOAC it has no meaning and is dissolved with a warning. `name` is the function's name in messages. }];
  let arguments = (ins Array_SideAttr:$side, StrAttr:$name);
  let results = (outs Variadic<Array_Value>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$side $name $body attr-dict (`:` type($results)^)?";
  let hasVerifier = 1;
}

def Array_TransferOp : Array_Op<"transfer", []> {
  let summary = "the operand's contents on the other side";
  let arguments = (ins Array_Tensor:$array);
  let results = (outs Array_Tensor:$result);
  let assemblyFormat = "$array attr-dict `:` type($array) `->` type($result)";
  let hasVerifier = 1;
}

def Array_PassOp : Array_Op<"pass", []> {
  let summary = "a scalar of the host, for kernels that come: as their argument, at its price";
  let arguments = (ins Array_Scalar:$value);
  let results = (outs Array_Tensor:$result);
  let assemblyFormat = "$value attr-dict `:` type($value) `->` type($result)";
  let hasVerifier = 1;
}

def Array_PeekOp : Array_Op<"peek", [ResultIsElement, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "host code reads one element of a device array across the bus; checked";
  let arguments = (ins Array_Tensor:$array, Variadic<I64>:$indices, UnitAttr:$unchecked);
  let results = (outs Array_Scalar:$result);
  let assemblyFormat = "$array `[` $indices `]` (`unchecked` $unchecked^)? attr-dict `:` type($array)";
  let extraClassDefinition = [{ void $cppClass::getEffects(::llvm::SmallVectorImpl<::mlir::MemoryEffects::EffectInstance> &) {} }];
  let hasVerifier = 1;
}

def Array_PokeOp : Array_Op<"poke", [AllTypesMatch<["array", "result"]>, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "host code replaces one element of a consumed device array across the bus; checked";
  let arguments = (ins Array_Tensor:$array, Variadic<I64>:$indices, Array_Scalar:$value, UnitAttr:$unchecked);
  let results = (outs Array_Tensor:$result);
  let assemblyFormat = "$array `[` $indices `]` `=` $value (`unchecked` $unchecked^)? attr-dict `:` type($array) `,` type($value)";
  let extraClassDefinition = [{ void $cppClass::getEffects(::llvm::SmallVectorImpl<::mlir::MemoryEffects::EffectInstance> &) {} }];
  let hasVerifier = 1;
}

def Array_LaunchOp : Array_Op<"launch", [RecursiveMemoryEffects]> {
  let summary = "one device kernel";
  let description = [{
    The region runs on the device. It may use scalars from outside (they ride as arguments of the launch) and arrays on the device; it yields arrays on the device, a scalar
    as an array of rank 0. `sequential` says that the plan wants a kernel that runs its SOACs in one thread or one work-group: a whole loop, or scalar work.
  }];
  let arguments = (ins StrAttr:$name, UnitAttr:$sequential);
  let results = (outs Variadic<Array_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$name (`sequential` $sequential^)? $body attr-dict (`:` type($results)^)?";
  let hasVerifier = 1;
}

def Array_FromScalarOp : Array_Op<"from_scalar", [Pure, RunsOnItsSide]> {
  let summary = "an array of rank 0 that holds the scalar";
  let arguments = (ins Array_Scalar:$value);
  let results = (outs Array_Tensor:$result);
  let assemblyFormat = "$value attr-dict `:` type($value) `->` type($result)";
  let hasVerifier = 1;
}

def Array_ToScalarOp : Array_Op<"to_scalar", [Pure, RunsOnItsSide, ResultIsElement]> {
  let summary = "the scalar in an array of rank 0";
  let arguments = (ins Array_Tensor:$array);
  let results = (outs Array_Scalar:$result);
  let assemblyFormat = "$array attr-dict `:` type($array)";
  let hasVerifier = 1;
}

def Array_TickOp : Array_Op<"tick", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "adds picoseconds of host work to the device's virtual clock";
  let arguments = (ins I64:$picoseconds);
  let assemblyFormat = "$picoseconds attr-dict";
}

def Array_ObserveOp : Array_Op<"observe", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "counts that a run comes by here, and what an extent is, for later plans to go by";
  let description = [{
    `array.observe 3` counts a trip, an entry or an arm taken; `array.observe 4 of %n` also a number. Sites are numbered by whoever places the program.
  }];
  let arguments = (ins I64Attr:$site, Optional<I64>:$number);
  let assemblyFormat = "$site (`of` $number^)? attr-dict";
}

def Array_ResidentOp : Array_Op<"resident", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "says how many bytes the plan has on the device at this point, for a simulated device to compare";
  let arguments = (ins I64Attr:$least, I64Attr:$most);
  let assemblyFormat = "$least `to` $most attr-dict";
}

#endif
