import type { Encoded } from './codec.ts'
import type { EncodedImage, ImageBoxes, RejectionReason } from './encodeImage.ts'
import type { ImageFormat } from './imageFormat.ts'

export type Task = { bytes: Uint8Array; format: ImageFormat; pixels: number } & (
  | { kind: 'image'; boxes: ImageBoxes }
  | { kind: 'thumbnail'; side: number }
)

export type Outcome =
  | { result: EncodedImage | Encoded }
  | { refusal: RejectionReason; cause: string }
  | { fault: unknown }

export type Reply = {
  outcome: Outcome
  /** resident memory of the process afterwards, in bytes */
  rss: number
}
