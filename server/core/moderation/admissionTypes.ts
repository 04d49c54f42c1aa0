/** Whether an admitted item is published at once. */
export type Admission = {
  /** why a post waits for a review, for moderators; null if it is published at once */
  heldFor: string | null
  /** when a held post is published without a review; null if it waits for a moderator */
  releaseAt: Date | null
}
