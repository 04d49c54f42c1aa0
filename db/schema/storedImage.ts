/** Files of a stored picture and their sizes in pixels; names as the file store knows them. */
export type StoredImage = {
  name: string
  width: number
  height: number
  bytes: number
  /** bytes of all its files together; missing on images stored before these were counted */
  storedBytes?: number
  animated: boolean
  preview: { name: string; width: number; height: number }
  display: { name: string; width: number; height: number }
}
