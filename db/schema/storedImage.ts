export type StoredImage = {
  name: string
  width: number
  height: number
  bytes: number
  /** bytes of all its files; missing on images stored before this was counted */
  storedBytes?: number
  animated: boolean
  preview: { name: string; width: number; height: number }
  display: { name: string; width: number; height: number }
}
