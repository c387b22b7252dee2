"""Rabin fingerprints by a hundred irreducible polynomials of degree 64 over GF(2), as P5 §3.4 has them.

The fingerprint of a message is its remainder modulo the polynomial. The message is the 64-bit hash of a shingle, moved
up by 64 places, so that the remainder is a fingerprint of all of it; that map is linear, hence eight tables of a byte each.
Deviation: texrex takes the letters of the shingle for the message.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np

from paberki.dedup.repeats.word_runs import kernel
from paberki.dedup.signatures.shingles import Hashes, TextShingles

# fmt: off
POLYNOMIALS: Final = (
    0xF913EF225BCDA6D1, 0xE1C2D9E1DFAF06A1, 0xCB6FDA837F465733, 0x389E88EEF1549517, 0xCA19D26E25F93D1D,
    0xAEC5396405E6CA73, 0x544493962815F9C9, 0xB87DFCEE2B7C121F, 0x8D9B3B24383A1A3F, 0x93454EEE63539A07,
    0x081C165E361E31F7, 0x410DE684FA317671, 0x671A634E3F78EC13, 0xDF0C6DE185F1C879, 0xD371B95E7C92A9CB,
    0x7DEDD286BE4D7185, 0x7D55A58F3B441F19, 0xB967C9472522877F, 0x2C7D2D20CA3FAAB7, 0x698E6CF91EF332B5,
    0x8E87CF48F854ADA7, 0xC365AA35B2F0EF9D, 0xF3128B47F40FB5F3, 0xB2482D72B054D2B1, 0x0716974A9206A0D9,
    0xA25FBE5AC71EACA5, 0xF3C4D3346DBAC299, 0xCDF0229CD3DE6381, 0xF217C53E9F5AC97D, 0x469AEA4F00AAB191,
    0x1D5EFBDBCA208033, 0xEE9134DFF368F341, 0xF0FCD42149752FA1, 0xDB4AF4EB9CAA1607, 0xFBE32CCD10B17B7F,
    0xD0575617BB9897A3, 0x496DDDC379E512A9, 0x609B053C925C8F31, 0xCDCA12D0068FC127, 0xABEC25FE52921C79,
    0x1E6FA4131927E6FF, 0x7FB6A3A36618A7A7, 0x746B3815602A8411, 0xAB4134CDFA75B427, 0x3CF7B653D22C452B,
    0x304B885810E404EF, 0xFAD0005FD16462D3, 0x1465C09430CEA84F, 0x07144353E79DF07F, 0x556E8ED6496EDBD7,
    0xF6A413752F9F0D79, 0x90F004D85A60D8E3, 0xFFB28F65A8BD2013, 0x159C7CD9CC5B62EF, 0x2231B4B8A301C8FB,
    0x3F33108A1E26FA6B, 0x5F6775A9F0684779, 0xF9FE3EDA23C15001, 0x74156CA2BAD4E837, 0x35CA771C169BA1F3,
    0x1B8347AAB627D9FD, 0x6657E5CD04A6DDBD, 0xBEA0929EF6269FC7, 0x264F47EDBDFBAEB1, 0x3F8DC6073E0DA2A5,
    0x5C99A4BFAADBAD3B, 0x8AA86B0B02803D45, 0xFA50CE216B35F665, 0x14703B3D047940F9, 0xF3FB0E8210C859E7,
    0x1F0B68B86DDA84C1, 0x54CAC1448DDAA573, 0xD0A78B139B5B51F3, 0x4BFF21ED085A84FD, 0x4AE7BDEEA0826BF3,
    0x817FFBFE467CBB45, 0xE947E3CE8B695199, 0x9F86F84D589BFDD3, 0x91FDE21514173597, 0x19CB99AEA101F015,
    0x4FC54CD4B2468F7B, 0x3AE53CDCF39F87E1, 0xF91BBA9492942B69, 0xB651C53A32908175, 0x887A3CDC7F487F8B,
    0x18ED030BD01C6103, 0x6184C9C8DCDA7EDB, 0xF4FBB1DB50C0722D, 0xB467E42A998DE47B, 0xB2F106385E25187B,
    0x5916FFB01B94A357, 0x862570A8C0CDDAA3, 0x93A1271F3E0A1939, 0x677CA38704310699, 0xE3752CA0FA4BC72D,
    0xB63A3B8560AD8BD1, 0x2EA040020AE3E8D9, 0x5C82616B00C3B133, 0xBBD5F4AC1F43C3FF, 0xE39FC4DCA00DA875,
)
# fmt: on
"""The lower 64 coefficients of each polynomial; that of the highest power is 1."""


def sign_rabin(shingles: TextShingles) -> Hashes:
    """The smallest fingerprint of each polynomial for every text; all ones for texts without words."""
    signatures = np.empty((len(shingles.offsets) - 1, len(POLYNOMIALS)), np.uint64)
    kernel().sign_rabin(shingles.values, shingles.offsets, _tables(), signatures)
    return signatures


def remainder(message: int, polynomial: int) -> int:
    """Of a message moved up by 64 places, modulo x⁶⁴ plus the lower coefficients given."""
    whole, rest = (1 << 64) | polynomial, message << 64
    while rest.bit_length() > 64:
        rest ^= whole << (rest.bit_length() - 65)
    return rest


@lru_cache(maxsize=1)
def _tables() -> Hashes:
    """The remainder of every byte in every place, for every polynomial."""
    tables = np.zeros((len(POLYNOMIALS), 8, 256), np.uint64)
    for number, polynomial in enumerate(POLYNOMIALS):
        bits = np.array([remainder(1 << bit, polynomial) for bit in range(64)], np.uint64).reshape(8, 8)
        for bit in range(8):
            having = (np.arange(256) >> bit) & 1 == 1
            tables[number][:, having] ^= bits[:, bit][:, None]
    return tables
