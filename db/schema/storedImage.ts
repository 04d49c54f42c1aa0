export type StoredImage = {
  name: string
  width: number
  height: number
  bytes: number
  storedBytes?: number
  /** Base64 of the MD5 of the full image; missing for images of older versions */
  md5?: string
  animated: boolean
  /** place among the images that its post was sent with, from 0; missing for the first one */
  place?: number
  preview: { name: string; width: number; height: number }
  display: { name: string; width: number; height: number }
}

/** An image of a post after the first one. */
export type FurtherImage = StoredImage & {
  /** the id of its files */
  id: string
}
