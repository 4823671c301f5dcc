// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ferry_leave (status, launch, item, failure, its four values) ends its item. The status is a runtime::KernelStatus,
// which one thread at a time writes: the lowest item's failure stays.
//
// ferry_alloc (heap, its bytes, bytes) looks for the first free piece of a heap that is large enough, and puts free
// pieces that are side by side together on its way. A piece begins with its bytes and the references to it, eight bytes
// each. ferry_clear (heap, its bytes, the item's number in its group) makes it one free piece. ferry_count (heap, its
// bytes, block, by) adds to the references; a block outside of the heap is left alone.
//
// ferry_meet waits for all items of the group, or those that have not ended. ferry_begin (flag, the item's number in
// its group) clears the flag that says that one has failed; ferry_meet_or_exit (flag) ends all if it is set.

#include "codegen/cuda/Support.h"

namespace ferry::codegen::cuda {

const char supportText[] = R"(
define void @ferry_leave(ptr addrspace(1) %status, i64 %launch, i64 %item, i64 %number, i64 %a, i64 %b, i64 %c, i64 %d) cold noinline noreturn nounwind {
  br label %lock
lock:
  %pair = cmpxchg ptr addrspace(1) %status, i32 0, i32 1 syncscope("device") acquire monotonic, align 4
  %locked = extractvalue { i32, i1 } %pair, 1
  br i1 %locked, label %look, label %lock
look:
  %launch.at = getelementptr i64, ptr addrspace(1) %status, i64 1
  %item.at = getelementptr i64, ptr addrspace(1) %status, i64 2
  %known = load volatile i64, ptr addrspace(1) %launch.at, align 8
  %lowest = load volatile i64, ptr addrspace(1) %item.at, align 8
  %none = icmp eq i64 %known, 0
  %lower = icmp slt i64 %item, %lowest
  %write = or i1 %none, %lower
  br i1 %write, label %leave, label %unlock
leave:
  store volatile i64 %launch, ptr addrspace(1) %launch.at, align 8
  store volatile i64 %item, ptr addrspace(1) %item.at, align 8
  %number.at = getelementptr i64, ptr addrspace(1) %status, i64 3
  store volatile i64 %number, ptr addrspace(1) %number.at, align 8
  %a.at = getelementptr i64, ptr addrspace(1) %status, i64 4
  store volatile i64 %a, ptr addrspace(1) %a.at, align 8
  %b.at = getelementptr i64, ptr addrspace(1) %status, i64 5
  store volatile i64 %b, ptr addrspace(1) %b.at, align 8
  %c.at = getelementptr i64, ptr addrspace(1) %status, i64 6
  store volatile i64 %c, ptr addrspace(1) %c.at, align 8
  %d.at = getelementptr i64, ptr addrspace(1) %status, i64 7
  store volatile i64 %d, ptr addrspace(1) %d.at, align 8
  br label %unlock
unlock:
  fence syncscope("device") release
  %old = atomicrmw xchg ptr addrspace(1) %status, i32 0 syncscope("device") monotonic, align 4
  call void @llvm.nvvm.exit()
  unreachable
}
declare void @llvm.nvvm.exit()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) convergent nounwind

define void @ferry_meet() convergent nounwind {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
}

define void @ferry_begin(ptr %flag, i64 %local) convergent nounwind {
  %first = icmp eq i64 %local, 0
  br i1 %first, label %clear, label %go
clear:
  store i64 0, ptr %flag, align 8
  br label %go
go:
  call void @ferry_meet()
  ret void
}

define void @ferry_meet_or_exit(ptr %flag) convergent nounwind {
  call void @ferry_meet()
  %failed = load i64, ptr %flag, align 8
  call void @ferry_meet()
  %any = icmp ne i64 %failed, 0
  br i1 %any, label %end, label %go
end:
  call void @llvm.nvvm.exit()
  unreachable
go:
  ret void
}

define ptr @ferry_alloc(ptr %heap, i64 %bytes, i64 %asked) nounwind {
  %more = add i64 %asked, 31
  %need = and i64 %more, -16
  br label %piece
piece:
  %at = phi i64 [ 0, %0 ], [ %next, %following ]
  %inside = icmp slt i64 %at, %bytes
  br i1 %inside, label %look, label %full
look:
  %size.at = getelementptr i8, ptr %heap, i64 %at
  %count.at = getelementptr i8, ptr %size.at, i64 8
  %count = load i64, ptr %count.at, align 8
  %free = icmp eq i64 %count, 0
  br i1 %free, label %join, label %following
join:
  %size = load i64, ptr %size.at, align 8
  %behind = add i64 %at, %size
  %is.last = icmp sge i64 %behind, %bytes
  br i1 %is.last, label %fit, label %neighbour
neighbour:
  %other.at = getelementptr i8, ptr %heap, i64 %behind
  %other.count.at = getelementptr i8, ptr %other.at, i64 8
  %other.count = load i64, ptr %other.count.at, align 8
  %other.free = icmp eq i64 %other.count, 0
  br i1 %other.free, label %merge, label %fit
merge:
  %other.size = load i64, ptr %other.at, align 8
  %sum = add i64 %size, %other.size
  store i64 %sum, ptr %size.at, align 8
  br label %join
fit:
  %fits = icmp sge i64 %size, %need
  br i1 %fits, label %take, label %following
take:
  %rest = sub i64 %size, %need
  %whole = icmp eq i64 %rest, 0
  br i1 %whole, label %mark, label %split
split:
  %rest.offset = add i64 %at, %need
  %rest.at = getelementptr i8, ptr %heap, i64 %rest.offset
  store i64 %rest, ptr %rest.at, align 8
  %rest.count.at = getelementptr i8, ptr %rest.at, i64 8
  store i64 0, ptr %rest.count.at, align 8
  store i64 %need, ptr %size.at, align 8
  br label %mark
mark:
  store i64 1, ptr %count.at, align 8
  %block = getelementptr i8, ptr %size.at, i64 16
  ret ptr %block
following:
  %piece.size = load i64, ptr %size.at, align 8
  %next = add i64 %at, %piece.size
  br label %piece
full:
  ret ptr null
}

define void @ferry_clear(ptr %heap, i64 %bytes, i64 %local) nounwind {
  %first = icmp eq i64 %local, 0
  br i1 %first, label %clear, label %done
clear:
  store i64 %bytes, ptr %heap, align 8
  %count.at = getelementptr i8, ptr %heap, i64 8
  store i64 0, ptr %count.at, align 8
  br label %done
done:
  ret void
}

define void @ferry_count(ptr %heap, i64 %bytes, ptr %block, i64 %by) nounwind {
  %first = ptrtoint ptr %heap to i64
  %address = ptrtoint ptr %block to i64
  %offset = sub i64 %address, %first
  %inside = icmp ult i64 %offset, %bytes
  br i1 %inside, label %count, label %done
count:
  %count.at = getelementptr i8, ptr %block, i64 -8
  %old = load i64, ptr %count.at, align 8
  %new = add i64 %old, %by
  store i64 %new, ptr %count.at, align 8
  br label %done
done:
  ret void
}
)";

} // namespace ferry::codegen::cuda
