/** Files of a stored picture and their sizes in pixels; names as the file store knows them. */
export type StoredImage = {
  name: string
  width: number
  height: number
  bytes: number
  /** of all its files together; missing where it was stored before that was counted */
  storedBytes?: number
  animated: boolean
  preview: { name: string; width: number; height: number }
  display: { name: string; width: number; height: number }
}
