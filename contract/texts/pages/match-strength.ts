export type MatchStrength = 'Strong match' | 'Fair match' | 'Weak match'

const minStrong = 0.6
const minFair = 0.45

/** The score of a fragment in words. The manual says what they mean. */
export function matchStrength(score: number): MatchStrength {
  if (score >= minStrong) return 'Strong match'
  return score >= minFair ? 'Fair match' : 'Weak match'
}
