export const blockedImageLimits = { page: 50 }

export const blockedImageMessages = {
  notFound: 'This image is not blocked',
  load: 'Failed to load the blocked images',
  add: 'Failed to block the image',
  remove: 'Failed to unblock the image',
} as const

/** A blocked image. The image itself is not stored. */
export type BlockedImageView = {
  id: number
  reason: string
  createdAt: Date
  /** SHA-256 of the stored original, hexadecimal */
  hash: string
  /** whether similar images are recognized too; false for nearly flat images */
  blocksCopies: boolean
  /** how many uploads were refused or held */
  matches: number
  lastMatchAt: Date | null
  /** whether a takedown blocked the image */
  isTakenDown: boolean
}
