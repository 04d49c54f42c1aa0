import { t } from '#src/i18n/t.ts'
import { toast } from './Toast.tsx'

/** Loads code that a click needs. If this fails, shows a toast and returns null. */
export async function loadCode<T>(load: () => Promise<T>): Promise<T | null> {
  try {
    return await load()
  } catch (error) {
    console.warn('Cannot load a part of the page. Check the connection and reload.', error)
    toast(t('ui.couldNotLoad'))
    return null
  }
}
