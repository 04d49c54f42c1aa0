import type { Encoded } from './codec.ts'
import type { EncodedImage, ImageBoxes, Refusal } from './encodeImage.ts'
import type { ImageFormat } from './imageFormat.ts'

/** What the parent asks of an image process. */
export type Task = { bytes: Uint8Array; format: ImageFormat; pixels: number } & (
  | { kind: 'image'; boxes: ImageBoxes }
  | { kind: 'thumbnail'; side: number }
)

export type Outcome = { result: EncodedImage | Encoded } | { refusal: Refusal; cause: string } | { fault: unknown }

/** What an image process answers. */
export type Reply = {
  outcome: Outcome
  /** bytes of memory that the process holds afterwards */
  rss: number
}
