export type StoredImage = {
  name: string
  width: number
  height: number
  bytes: number
  storedBytes?: number
  /** Base64 of the MD5 of the full image; missing for images of older versions */
  md5?: string
  animated: boolean
  preview: { name: string; width: number; height: number }
  display: { name: string; width: number; height: number }
}
