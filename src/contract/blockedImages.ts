export type { BlockedImageView } from './blockedImageAnswers.ts'

export const blockedImageLimits = { page: 50 }
