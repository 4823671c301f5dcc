# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers of neural networks."""

import dace
import numpy as np
from dace import float32, float64

from .registry import add

N, H, W, C, O, K, D, S = (dace.symbol(s, dtype=dace.int64) for s in ("N", "H", "W", "C", "O", "K", "D", "S"))


@dace.program
def softmax(x: float32[N, H, S, S]):
    top = np.maximum.reduce(x, axis=-1, keepdims=True, initial=-9999)
    shifted = np.exp(x - top)
    return shifted / np.add.reduce(shifted, axis=-1, keepdims=True)


def softmax_numpy(x):
    e = np.exp(x.astype(np.float64))
    return (e / e.sum(axis=3)[..., None]).astype(np.float32)


add(softmax, softmax_numpy, {"N": 64, "H": 16, "S": 512}, {"N": 2, "H": 3, "S": 4}, tolerance=1e-5)


@dace.program
def perceptron(x: float64[N, C], w1: float64[C, H], b1: float64[H], w2: float64[H, O], b2: float64[O]):
    hidden = np.maximum(x @ w1 + b1, 0)
    return hidden @ w2 + b2


def perceptron_numpy(x, w1, b1, w2, b2):
    hidden = np.einsum("nc,ch->nh", x, w1) + b1
    hidden[hidden < 0] = 0
    return np.einsum("nh,ho->no", hidden, w2) + b2


signed = {n: (lambda s, rng, k=k: rng.normal(size=tuple(s[i] for i in k))) for n, k in {"w1": "CH", "b1": "H"}.items()}
add(perceptron, perceptron_numpy, {"N": 8, "C": 3, "H": 30000, "O": 2000}, {"N": 3, "C": 4, "H": 5, "O": 2}, given=signed)


@dace.program
def convolution(image: float32[N, H, W, C], weights: float32[K, K, C, O]):
    out = np.zeros((N, H - K + 1, W - K + 1, O), dtype=np.float32)
    for a in range(K):
        for b in range(K):
            for n, i, j, o, c in dace.map[0:N, 0 : H - K + 1, 0 : W - K + 1, 0:O, 0:C]:
                with dace.tasklet:
                    x << image[n, i + a, j + b, c]
                    w << weights[a, b, c, o]
                    y >> out(1, lambda p, q: p + q)[n, i, j, o]
                    y = x * w
    return out


def convolution_numpy(image, weights):
    k = len(weights)
    windows = np.lib.stride_tricks.sliding_window_view(image, (k, k), axis=(1, 2))
    return np.einsum("nijcab,abco->nijo", windows, weights).astype(np.float32)


add(
    convolution,
    convolution_numpy,
    {"N": 8, "H": 256, "W": 256, "C": 3, "O": 16, "K": 20},
    {"N": 2, "H": 5, "W": 6, "C": 2, "O": 3, "K": 2},
    tolerance=1e-5,
)


@dace.program
def convolution_by_shifts(image: float64[H, W], weights: float64[K, K]):
    out = np.zeros((H - K + 1, W - K + 1), dtype=np.float64)
    for a in range(K):
        for b in range(K):
            out += weights[a, b] * image[a : a + H - K + 1, b : b + W - K + 1]
    return out


def convolution_by_shifts_numpy(image, weights):
    windows = np.lib.stride_tricks.sliding_window_view(image, weights.shape)
    return np.einsum("ijab,ab->ij", windows, weights)


add(convolution_by_shifts, convolution_by_shifts_numpy, {"H": 4000, "W": 4000, "K": 9}, {"H": 6, "W": 7, "K": 3})


@dace.program
def max_pooling(x: float64[N, 2 * H, 2 * W, C]):
    out = np.empty((N, H, W, C), dtype=np.float64)
    for n, i, j, c in dace.map[0:N, 0:H, 0:W, 0:C]:
        best = x[n, 2 * i, 2 * j, c]
        best = max(best, x[n, 2 * i + 1, 2 * j, c])
        best = max(best, x[n, 2 * i, 2 * j + 1, c])
        best = max(best, x[n, 2 * i + 1, 2 * j + 1, c])
        out[n, i, j, c] = best
    return out


def max_pooling_numpy(x):
    n, h, w, c = x.shape
    return x.reshape(n, h // 2, 2, w // 2, 2, c).max(axis=(2, 4))


add(max_pooling, max_pooling_numpy, {"N": 64, "H": 112, "W": 112, "C": 64}, {"N": 2, "H": 3, "W": 2, "C": 2})


@dace.program
def attention(q: float64[S, D], k: float64[S, D], v: float64[S, D]):
    scores = (q @ np.transpose(k)) * 0.125
    top = np.max(scores, axis=1)
    weights = np.exp(scores - np.reshape(top, (S, 1)))
    total = np.sum(weights, axis=1)
    return (weights @ v) / np.reshape(total, (S, 1))


def attention_numpy(q, k, v):
    weights = np.exp(np.einsum("sd,td->st", q, k) / 8)
    return np.einsum("st,td->sd", weights / weights.sum(axis=1)[:, None], v)


add(attention, attention_numpy, {"S": 4096, "D": 64}, {"S": 6, "D": 4})


@dace.program
def normalised_layer(x: float64[N, D], gain: float64[D], shift: float64[D]):
    mean = np.sum(x, axis=1) / D
    centred = x - np.reshape(mean, (N, 1))
    variance = np.sum(centred * centred, axis=1) / D
    scale = 1.0 / np.sqrt(variance + 1e-5)
    return centred * np.reshape(scale, (N, 1)) * gain + shift


def normalised_layer_numpy(x, gain, shift):
    scale = 1 / np.sqrt(x.var(axis=1) + 1e-5)
    return (x - x.mean(axis=1)[:, None]) * scale[:, None] * gain + shift


add(normalised_layer, normalised_layer_numpy, {"N": 16384, "D": 1024}, {"N": 4, "D": 6})


@dace.program
def recurrent_cell(x: float64[S, C], w: float64[C, H], u: float64[H, H], b: float64[H], states: float64[S, H]):
    h = np.zeros((H,), dtype=np.float64)
    for t in range(S):
        h[:] = np.tanh(x[t] @ w + h @ u + b)
        states[t] = h


def recurrent_cell_numpy(x, w, u, b, states):
    h = 0 * b
    for t, row in enumerate(x):
        h = states[t] = np.tanh(np.sum(row[:, None] * w, axis=0) + np.sum(h[:, None] * u, axis=0) + b)


add(recurrent_cell, recurrent_cell_numpy, {"S": 512, "C": 512, "H": 1024}, {"S": 4, "C": 3, "H": 5})


@dace.program
def gradient_step(x: float64[N, D], y: float64[N], w: float64[D], rate: float64, T: dace.int64):
    for t in range(T):
        guess = 1.0 / (1.0 + np.exp(-(x @ w)))
        w -= rate * (np.transpose(x) @ (guess - y)) / N


def gradient_step_numpy(x, y, w, rate, T):
    for _ in range(T):
        guess = 1 / (1 + np.exp(-np.sum(x * w, axis=1)))
        w -= rate * np.mean(x * (guess - y)[:, None], axis=0)


add(gradient_step, gradient_step_numpy, {"N": 100000, "D": 256, "T": 100}, {"N": 8, "D": 3, "T": 4})
