import { toast } from './Toast.tsx'

export const NOT_FETCHED = 'This could not be loaded. Please try again.'

/**
 * Fetches a part of the site's code before it is rendered; a failure is said in passing, for one while rendering would
 * take the whole page down.
 */
export async function fetched(load: () => Promise<unknown>): Promise<boolean> {
  try {
    await load()
    return true
  } catch (error) {
    console.warn('A part of the page could not be fetched', error)
    toast(NOT_FETCHED)
    return false
  }
}
