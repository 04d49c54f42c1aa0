export type { BlockedImageView } from './blockedImageAnswers.ts'

export const blockedImageLimits = { page: 50 }

export const blockedImageMessages = {
  notFound: 'This image is not blocked',
  number: 'A number of a blocked image is required',
} as const
