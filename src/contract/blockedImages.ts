export type { BlockedImageView } from './blockedImageAnswers.ts'

export const blockedImageLimits = { page: 50 }

export const blockedImageMessages = {
  notFound: 'This image is not blocked',
  load: 'Failed to load the blocked images',
  add: 'Failed to block the image',
  remove: 'Failed to unblock the image',
} as const
