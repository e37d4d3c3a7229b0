;; Scans vectors of 8-bit integers. scripts/build-kernel.mjs assembles it into kernel-wasm.ts; layout.ts defines the offsets.
;; A plane holds a part of 256 vectors, one row of `width` bytes each. Widths are multiples of 32.
(module
  (import "copy" "memory" (memory 1 65536 shared))

  ;; Computes sums[row] = plane[row] . query for all 256 rows, and adds to the existing sums if $accumulate is not 0. The
  ;; query has 16-bit integers. Four rows share each load of the query. They are 64 rows apart, because reading four memory
  ;; pages at once hides more latency than reading them in sequence.
  (func (export "dots") (param $plane i32) (param $query i32) (param $width i32) (param $sums i32) (param $accumulate i32)
    (local $a i32) (local $b i32) (local $c i32) (local $d i32) (local $q i32) (local $end i32) (local $last i32) (local $apart i32)
    (local $part v128) (local $s0 v128) (local $s1 v128) (local $s2 v128) (local $s3 v128)
    (local.set $a (local.get $plane))
    (local.set $apart (i32.shl (local.get $width) (i32.const 6)))
    (local.set $last (i32.add (local.get $sums) (i32.const 256)))
    (loop $rows
      (local.set $b (i32.add (local.get $a) (local.get $apart)))
      (local.set $c (i32.add (local.get $b) (local.get $apart)))
      (local.set $d (i32.add (local.get $c) (local.get $apart)))
      (local.set $end (i32.add (local.get $a) (local.get $width)))
      (local.set $q (local.get $query))
      (local.set $s0 (v128.const i32x4 0 0 0 0))
      (local.set $s1 (v128.const i32x4 0 0 0 0))
      (local.set $s2 (v128.const i32x4 0 0 0 0))
      (local.set $s3 (v128.const i32x4 0 0 0 0))
      (loop $columns
        (local.set $part (v128.load (local.get $q)))
        (local.set $s0 (i32x4.add (local.get $s0) (i32x4.dot_i16x8_s (local.get $part) (v128.load8x8_s (local.get $a)))))
        (local.set $s1 (i32x4.add (local.get $s1) (i32x4.dot_i16x8_s (local.get $part) (v128.load8x8_s (local.get $b)))))
        (local.set $s2 (i32x4.add (local.get $s2) (i32x4.dot_i16x8_s (local.get $part) (v128.load8x8_s (local.get $c)))))
        (local.set $s3 (i32x4.add (local.get $s3) (i32x4.dot_i16x8_s (local.get $part) (v128.load8x8_s (local.get $d)))))
        (local.set $part (v128.load offset=16 (local.get $q)))
        (local.set $s0 (i32x4.add (local.get $s0) (i32x4.dot_i16x8_s (local.get $part) (v128.load8x8_s offset=8 (local.get $a)))))
        (local.set $s1 (i32x4.add (local.get $s1) (i32x4.dot_i16x8_s (local.get $part) (v128.load8x8_s offset=8 (local.get $b)))))
        (local.set $s2 (i32x4.add (local.get $s2) (i32x4.dot_i16x8_s (local.get $part) (v128.load8x8_s offset=8 (local.get $c)))))
        (local.set $s3 (i32x4.add (local.get $s3) (i32x4.dot_i16x8_s (local.get $part) (v128.load8x8_s offset=8 (local.get $d)))))
        (local.set $part (v128.load offset=32 (local.get $q)))
        (local.set $s0 (i32x4.add (local.get $s0) (i32x4.dot_i16x8_s (local.get $part) (v128.load8x8_s offset=16 (local.get $a)))))
        (local.set $s1 (i32x4.add (local.get $s1) (i32x4.dot_i16x8_s (local.get $part) (v128.load8x8_s offset=16 (local.get $b)))))
        (local.set $s2 (i32x4.add (local.get $s2) (i32x4.dot_i16x8_s (local.get $part) (v128.load8x8_s offset=16 (local.get $c)))))
        (local.set $s3 (i32x4.add (local.get $s3) (i32x4.dot_i16x8_s (local.get $part) (v128.load8x8_s offset=16 (local.get $d)))))
        (local.set $part (v128.load offset=48 (local.get $q)))
        (local.set $s0 (i32x4.add (local.get $s0) (i32x4.dot_i16x8_s (local.get $part) (v128.load8x8_s offset=24 (local.get $a)))))
        (local.set $s1 (i32x4.add (local.get $s1) (i32x4.dot_i16x8_s (local.get $part) (v128.load8x8_s offset=24 (local.get $b)))))
        (local.set $s2 (i32x4.add (local.get $s2) (i32x4.dot_i16x8_s (local.get $part) (v128.load8x8_s offset=24 (local.get $c)))))
        (local.set $s3 (i32x4.add (local.get $s3) (i32x4.dot_i16x8_s (local.get $part) (v128.load8x8_s offset=24 (local.get $d)))))
        (local.set $q (i32.add (local.get $q) (i32.const 64)))
        (local.set $a (i32.add (local.get $a) (i32.const 32)))
        (local.set $b (i32.add (local.get $b) (i32.const 32)))
        (local.set $c (i32.add (local.get $c) (i32.const 32)))
        (local.set $d (i32.add (local.get $d) (i32.const 32)))
        (br_if $columns (i32.lt_u (local.get $a) (local.get $end))))
      ;; Adds up the four lanes of each of the four sums.
      (local.set $s0 (i32x4.add
        (i8x16.shuffle 0 1 2 3 16 17 18 19 8 9 10 11 24 25 26 27 (local.get $s0) (local.get $s1))
        (i8x16.shuffle 4 5 6 7 20 21 22 23 12 13 14 15 28 29 30 31 (local.get $s0) (local.get $s1))))
      (local.set $s2 (i32x4.add
        (i8x16.shuffle 0 1 2 3 16 17 18 19 8 9 10 11 24 25 26 27 (local.get $s2) (local.get $s3))
        (i8x16.shuffle 4 5 6 7 20 21 22 23 12 13 14 15 28 29 30 31 (local.get $s2) (local.get $s3))))
      (local.set $s0 (i32x4.add
        (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $s0) (local.get $s2))
        (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $s0) (local.get $s2))))
      (if (local.get $accumulate)
        (then
          (local.set $part (v128.load32_zero (local.get $sums)))
          (local.set $part (v128.load32_lane offset=256 1 (local.get $sums) (local.get $part)))
          (local.set $part (v128.load32_lane offset=512 2 (local.get $sums) (local.get $part)))
          (local.set $part (v128.load32_lane offset=768 3 (local.get $sums) (local.get $part)))
          (local.set $s0 (i32x4.add (local.get $s0) (local.get $part)))))
      (v128.store32_lane 0 (local.get $sums) (local.get $s0))
      (v128.store32_lane offset=256 1 (local.get $sums) (local.get $s0))
      (v128.store32_lane offset=512 2 (local.get $sums) (local.get $s0))
      (v128.store32_lane offset=768 3 (local.get $sums) (local.get $s0))
      (local.set $sums (i32.add (local.get $sums) (i32.const 4)))
      (br_if $rows (i32.lt_u (local.get $sums) (local.get $last)))))

  ;; Returns the dot product of one row and the query.
  (func (export "dot") (param $row i32) (param $query i32) (param $width i32) (result i32)
    (local $end i32) (local $sum v128)
    (local.set $end (i32.add (local.get $row) (local.get $width)))
    (loop $columns
      (local.set $sum (i32x4.add (local.get $sum)
        (i32x4.dot_i16x8_s (v128.load (local.get $query)) (v128.load8x8_s (local.get $row)))))
      (local.set $row (i32.add (local.get $row) (i32.const 8)))
      (local.set $query (i32.add (local.get $query) (i32.const 16)))
      (br_if $columns (i32.lt_u (local.get $row) (local.get $end))))
    (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
      (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))

  ;; Scores a row as sum * scale * $factor. Writes the rows with scores above $threshold to $rows and their scores to
  ;; $scores, and returns their number. Skips rows whose scale is 0, which are empty. Overwrites the sums.
  (func (export "above") (param $sums i32) (param $scales i32) (param $factor f32) (param $threshold f32)
    (param $rows i32) (param $scores i32) (result i32)
    (local $row i32) (local $count i32) (local $mask i32) (local $lane i32) (local $four v128) (local $scale v128)
    (loop $fours
      (local.set $scale (v128.load (local.get $scales)))
      (local.set $four (f32x4.mul
        (f32x4.mul (f32x4.convert_i32x4_s (v128.load (local.get $sums))) (local.get $scale))
        (f32x4.splat (local.get $factor))))
      (local.set $mask (i32x4.bitmask (v128.and
        (f32x4.gt (local.get $four) (f32x4.splat (local.get $threshold)))
        (f32x4.gt (local.get $scale) (v128.const f32x4 0 0 0 0)))))
      (if (local.get $mask)
        (then
          (v128.store (local.get $sums) (local.get $four))
          (loop $lanes
            (local.set $lane (i32.ctz (local.get $mask)))
            (i32.store (i32.add (local.get $rows) (i32.shl (local.get $count) (i32.const 2)))
              (i32.add (local.get $row) (local.get $lane)))
            (f32.store (i32.add (local.get $scores) (i32.shl (local.get $count) (i32.const 2)))
              (f32.load (i32.add (local.get $sums) (i32.shl (local.get $lane) (i32.const 2)))))
            (local.set $count (i32.add (local.get $count) (i32.const 1)))
            (local.set $mask (i32.and (local.get $mask) (i32.sub (local.get $mask) (i32.const 1))))
            (br_if $lanes (local.get $mask)))))
      (local.set $sums (i32.add (local.get $sums) (i32.const 16)))
      (local.set $scales (i32.add (local.get $scales) (i32.const 16)))
      (local.set $row (i32.add (local.get $row) (i32.const 4)))
      (br_if $fours (i32.lt_u (local.get $row) (i32.const 256))))
    (local.get $count))

  ;; Quantizes floats to 8-bit integers: the first $headWidth to $head, and $tailWidth more to $tail. Returns the scale that
  ;; turns the dot product of the integers with a unit query into a cosine, or 0 for a vector of zeros. Widths are multiples
  ;; of 16; the second may be 0.
  (func (export "quantize") (param $vector i32) (param $head i32) (param $headWidth i32) (param $tail i32) (param $tailWidth i32)
    (result f32)
    (local $most v128) (local $squares v128) (local $part v128) (local $at i32) (local $end i32)
    (local $peak f32) (local $length f32)
    (local.set $at (local.get $vector))
    (local.set $end (i32.add (local.get $vector) (i32.shl (i32.add (local.get $headWidth) (local.get $tailWidth)) (i32.const 2))))
    (loop $reading
      (local.set $part (v128.load (local.get $at)))
      (local.set $most (f32x4.max (local.get $most) (f32x4.abs (local.get $part))))
      (local.set $squares (f32x4.add (local.get $squares) (f32x4.mul (local.get $part) (local.get $part))))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (br_if $reading (i32.lt_u (local.get $at) (local.get $end))))
    (local.set $peak (f32.max
      (f32.max (f32x4.extract_lane 0 (local.get $most)) (f32x4.extract_lane 1 (local.get $most)))
      (f32.max (f32x4.extract_lane 2 (local.get $most)) (f32x4.extract_lane 3 (local.get $most)))))
    (local.set $length (f32.sqrt (f32.add
      (f32.add (f32x4.extract_lane 0 (local.get $squares)) (f32x4.extract_lane 1 (local.get $squares)))
      (f32.add (f32x4.extract_lane 2 (local.get $squares)) (f32x4.extract_lane 3 (local.get $squares))))))
    (if (i32.eqz (f32.gt (local.get $length) (f32.const 0)))
      (then (return (f32.const 0))))
    (local.set $most (f32x4.splat (f32.div (f32.const 127) (local.get $peak))))
    (call $round (local.get $vector) (local.get $head) (local.get $headWidth) (local.get $most))
    (if (local.get $tailWidth)
      (then (call $round (i32.add (local.get $vector) (i32.shl (local.get $headWidth) (i32.const 2))) (local.get $tail)
        (local.get $tailWidth) (local.get $most))))
    (f32.div (local.get $peak) (f32.mul (f32.const 127) (local.get $length))))

  ;; Writes the dot product of the vector with each row of the matrix. Both have $columns floats a row, a multiple of 8; the
  ;; number of rows is a multiple of 4. Four rows share each load of the vector.
  (func (export "project") (param $matrix i32) (param $vector i32) (param $columns i32) (param $rows i32) (param $result i32)
    (local $a i32) (local $b i32) (local $c i32) (local $d i32) (local $at i32) (local $end i32) (local $stride i32) (local $last i32)
    (local $part v128) (local $s0 v128) (local $s1 v128) (local $s2 v128) (local $s3 v128)
    (local.set $stride (i32.shl (local.get $columns) (i32.const 2)))
    (local.set $a (local.get $matrix))
    (local.set $last (i32.add (local.get $result) (i32.shl (local.get $rows) (i32.const 2))))
    (loop $fours
      (local.set $b (i32.add (local.get $a) (local.get $stride)))
      (local.set $c (i32.add (local.get $b) (local.get $stride)))
      (local.set $d (i32.add (local.get $c) (local.get $stride)))
      (local.set $end (local.get $b))
      (local.set $at (local.get $vector))
      (local.set $s0 (v128.const i32x4 0 0 0 0))
      (local.set $s1 (v128.const i32x4 0 0 0 0))
      (local.set $s2 (v128.const i32x4 0 0 0 0))
      (local.set $s3 (v128.const i32x4 0 0 0 0))
      (loop $reading
        (local.set $part (v128.load (local.get $at)))
        (local.set $s0 (f32x4.add (local.get $s0) (f32x4.mul (local.get $part) (v128.load (local.get $a)))))
        (local.set $s1 (f32x4.add (local.get $s1) (f32x4.mul (local.get $part) (v128.load (local.get $b)))))
        (local.set $s2 (f32x4.add (local.get $s2) (f32x4.mul (local.get $part) (v128.load (local.get $c)))))
        (local.set $s3 (f32x4.add (local.get $s3) (f32x4.mul (local.get $part) (v128.load (local.get $d)))))
        (local.set $part (v128.load offset=16 (local.get $at)))
        (local.set $s0 (f32x4.add (local.get $s0) (f32x4.mul (local.get $part) (v128.load offset=16 (local.get $a)))))
        (local.set $s1 (f32x4.add (local.get $s1) (f32x4.mul (local.get $part) (v128.load offset=16 (local.get $b)))))
        (local.set $s2 (f32x4.add (local.get $s2) (f32x4.mul (local.get $part) (v128.load offset=16 (local.get $c)))))
        (local.set $s3 (f32x4.add (local.get $s3) (f32x4.mul (local.get $part) (v128.load offset=16 (local.get $d)))))
        (local.set $at (i32.add (local.get $at) (i32.const 32)))
        (local.set $a (i32.add (local.get $a) (i32.const 32)))
        (local.set $b (i32.add (local.get $b) (i32.const 32)))
        (local.set $c (i32.add (local.get $c) (i32.const 32)))
        (local.set $d (i32.add (local.get $d) (i32.const 32)))
        (br_if $reading (i32.lt_u (local.get $a) (local.get $end))))
      ;; Adds up the four lanes of each of the four sums.
      (local.set $s0 (f32x4.add
        (i8x16.shuffle 0 1 2 3 16 17 18 19 8 9 10 11 24 25 26 27 (local.get $s0) (local.get $s1))
        (i8x16.shuffle 4 5 6 7 20 21 22 23 12 13 14 15 28 29 30 31 (local.get $s0) (local.get $s1))))
      (local.set $s2 (f32x4.add
        (i8x16.shuffle 0 1 2 3 16 17 18 19 8 9 10 11 24 25 26 27 (local.get $s2) (local.get $s3))
        (i8x16.shuffle 4 5 6 7 20 21 22 23 12 13 14 15 28 29 30 31 (local.get $s2) (local.get $s3))))
      (v128.store (local.get $result) (f32x4.add
        (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $s0) (local.get $s2))
        (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $s0) (local.get $s2))))
      (local.set $result (i32.add (local.get $result) (i32.const 16)))
      (local.set $a (local.get $d))
      (br_if $fours (i32.lt_u (local.get $result) (local.get $last)))))

  (func $round (param $from i32) (param $to i32) (param $width i32) (param $by v128)
    (local $end i32)
    (local.set $end (i32.add (local.get $to) (local.get $width)))
    (loop $writing
      (v128.store (local.get $to) (i8x16.narrow_i16x8_s
        (i16x8.narrow_i32x4_s
          (i32x4.trunc_sat_f32x4_s (f32x4.nearest (f32x4.mul (v128.load (local.get $from)) (local.get $by))))
          (i32x4.trunc_sat_f32x4_s (f32x4.nearest (f32x4.mul (v128.load offset=16 (local.get $from)) (local.get $by)))))
        (i16x8.narrow_i32x4_s
          (i32x4.trunc_sat_f32x4_s (f32x4.nearest (f32x4.mul (v128.load offset=32 (local.get $from)) (local.get $by))))
          (i32x4.trunc_sat_f32x4_s (f32x4.nearest (f32x4.mul (v128.load offset=48 (local.get $from)) (local.get $by)))))))
      (local.set $from (i32.add (local.get $from) (i32.const 64)))
      (local.set $to (i32.add (local.get $to) (i32.const 16)))
      (br_if $writing (i32.lt_u (local.get $to) (local.get $end))))))
