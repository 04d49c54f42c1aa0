import { toast } from './Toast.tsx'

export const CODE_LOAD_FAILED = 'This could not be loaded. Please try again.'

/** Loads code before rendering: a failure during rendering would break the page. */
export async function preloadCode(load: () => Promise<unknown>): Promise<boolean> {
  try {
    await load()
    return true
  } catch (error) {
    console.warn('Cannot load a part of the page. Check the connection and reload.', error)
    toast(CODE_LOAD_FAILED)
    return false
  }
}
