# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Dense linear algebra: products of matrices and vectors, updates of rank one and two, triangular products."""

import dace
import numpy as np
from dace import float64

from .registry import add

K, L, M, N = (dace.symbol(s, dtype=dace.int64) for s in "KLMN")


@dace.program
def general_product(alpha: float64, beta: float64, A: float64[M, K], B: float64[K, N], C: float64[M, N]):
    C[:] = alpha * (A @ B) + beta * C


def general_product_numpy(alpha, beta, A, B, C):
    C[:] = alpha * np.einsum("mk,kn->mn", A, B) + beta * C


add(general_product, general_product_numpy, {"M": 7000, "N": 7500, "K": 5000}, {"M": 6, "N": 7, "K": 5})


@dace.program
def two_products(alpha: float64, beta: float64, A: float64[M, K], B: float64[K, N], C: float64[N, L], D: float64[M, L]):
    D[:] = alpha * A @ B @ C + beta * D


def two_products_numpy(alpha, beta, A, B, C, D):
    D[:] = alpha * np.einsum("mk,kn,nl->ml", A, B, C) + beta * D


add(two_products, two_products_numpy, {"M": 6000, "N": 6500, "K": 4000, "L": 5000}, {"M": 6, "N": 5, "K": 4, "L": 7})


@dace.program
def three_products(A: float64[M, K], B: float64[K, N], C: float64[N, L], D: float64[L, M]):
    return A @ B @ (C @ D)


def three_products_numpy(A, B, C, D):
    return np.einsum("mk,kn,nl,lp->mp", A, B, C, D)


add(three_products, three_products_numpy, {"M": 3200, "N": 4000, "K": 3600, "L": 4400}, {"M": 5, "N": 6, "K": 7, "L": 4})


@dace.program
def normal_equations_product(A: float64[M, N], x: float64[N]):
    return (A @ x) @ A


def normal_equations_product_numpy(A, x):
    y = np.zeros_like(x)
    for row in A:
        y += row * np.sum(row * x)
    return y


add(normal_equations_product, normal_equations_product_numpy, {"M": 20000, "N": 25000}, {"M": 7, "N": 9})


@dace.program
def product_and_transposed_product(A: float64[N, M], p: float64[M], r: float64[N]):
    return r @ A, A @ p


def product_and_transposed_product_numpy(A, p, r):
    return np.einsum("n,nm->m", r, A), np.einsum("nm,m->n", A, p)


add(product_and_transposed_product, product_and_transposed_product_numpy, {"M": 20000, "N": 25000}, {"M": 7, "N": 9})


@dace.program
def two_updates_of_vectors(x1: float64[N], x2: float64[N], y1: float64[N], y2: float64[N], A: float64[N, N]):
    x1 += A @ y1
    x2 += y2 @ A


def two_updates_of_vectors_numpy(x1, x2, y1, y2, A):
    x1 += np.einsum("ij,j->i", A, y1)
    x2 += np.einsum("ij,i->j", A, y2)


add(two_updates_of_vectors, two_updates_of_vectors_numpy, {"N": 22000}, {"N": 9})


@dace.program
def rank_two_update(
    alpha: float64,
    beta: float64,
    A: float64[N, N],
    u1: float64[N],
    v1: float64[N],
    u2: float64[N],
    v2: float64[N],
    w: float64[N],
    x: float64[N],
    y: float64[N],
    z: float64[N],
):
    A += np.multiply.outer(u1, v1) + np.multiply.outer(u2, v2)
    x += beta * y @ A + z
    w += alpha * A @ x


def rank_two_update_numpy(alpha, beta, A, u1, v1, u2, v2, w, x, y, z):
    A += u1[:, None] * v1 + u2[:, None] * v2
    x += beta * np.sum(A * y[:, None], axis=0) + z
    w += alpha * np.sum(A * x, axis=1)


add(rank_two_update, rank_two_update_numpy, {"N": 8000}, {"N": 8})


@dace.program
def sum_of_products(alpha: float64, beta: float64, A: float64[N, N], B: float64[N, N], x: float64[N]):
    return alpha * A @ x + beta * B @ x


def sum_of_products_numpy(alpha, beta, A, B, x):
    return np.sum((alpha * A + beta * B) * x, axis=1)


add(sum_of_products, sum_of_products_numpy, {"N": 14000}, {"N": 8})


@dace.program
def symmetric_update(alpha: float64, beta: float64, C: float64[N, N], A: float64[N, M]):
    for i in range(N):
        C[i, : i + 1] *= beta
        for k in range(M):
            C[i, : i + 1] += alpha * A[i, k] * A[: i + 1, k]


def symmetric_update_numpy(alpha, beta, C, A):
    full = beta * C + alpha * A @ A.T
    lower = np.tril_indices(len(C))
    C[lower] = full[lower]


add(symmetric_update, symmetric_update_numpy, {"M": 1000, "N": 1200}, {"M": 5, "N": 7})


@dace.program
def triangular_product(alpha: float64, A: float64[M, M], B: float64[M, N]):
    for i in range(M):
        for j in range(N):
            B[i, j] += np.dot(A[i + 1 :, i], B[i + 1 :, j])
    B *= alpha


def triangular_product_numpy(alpha, A, B):
    B[:] = alpha * (np.tril(A, -1) + np.eye(len(A))).T @ B


add(triangular_product, triangular_product_numpy, {"M": 1000, "N": 1200}, {"M": 6, "N": 5}, refused={"regions": "is not in list"})


@dace.program
def batched_product(A: float64[K, L, N], C4: float64[N, N]):
    for r in range(K):
        A[r] = A[r] @ C4


def batched_product_numpy(A, C4):
    A[:] = np.einsum("rqp,ps->rqs", A, C4)


add(batched_product, batched_product_numpy, {"K": 220, "L": 250, "N": 512}, {"K": 3, "L": 4, "N": 5})


@dace.program
def contraction(A: float64[K, L, N], B: float64[N, M]):
    return np.einsum("ijk,kl->ijl", A, B)


def contraction_numpy(A, B):
    return np.tensordot(A, B, axes=1)


add(contraction, contraction_numpy, {"K": 128, "L": 128, "M": 1024, "N": 1024}, {"K": 3, "L": 4, "M": 5, "N": 2})


@dace.program
def covariance(samples: float64[M, N]):
    mean = np.sum(samples, axis=0) / M
    centred = samples - mean
    return (np.transpose(centred) @ centred) / (M - 1)


def covariance_numpy(samples):
    return np.cov(samples, rowvar=False)


add(covariance, covariance_numpy, {"M": 5000, "N": 4000}, {"M": 9, "N": 5})


@dace.program
def power_of_a_matrix(A: float64[N, N]):
    P = np.eye(N)
    for k in range(20):
        P = P @ A
        P /= np.max(P)
    return P


def power_of_a_matrix_numpy(A):
    P = np.eye(len(A))
    for _ in range(20):
        P = np.einsum("ij,jk->ik", P, A)
        P = P / P.max()
    return P


add(power_of_a_matrix, power_of_a_matrix_numpy, {"N": 3000}, {"N": 6})
