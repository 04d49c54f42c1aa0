import { toast } from './Toast.tsx'

/** Loads code that a click needs. After a failure it returns null and shows a toast. */
export async function loadCode<T>(load: () => Promise<T>): Promise<T | null> {
  try {
    return await load()
  } catch (error) {
    console.warn('Cannot load a part of the page. Check the connection and reload.', error)
    toast('This could not be loaded. Please try again.')
    return null
  }
}
