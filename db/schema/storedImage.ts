export type StoredImage = {
  name: string
  width: number
  height: number
  bytes: number
  storedBytes?: number
  animated: boolean
  preview: { name: string; width: number; height: number }
  display: { name: string; width: number; height: number }
}
