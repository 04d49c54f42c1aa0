import { render } from 'vike/abort'

/**
 * Reads a page's data. What does not exist becomes a 404 page, what is known to be deleted a 410; anything else that
 * goes wrong a 503 with the text the visitor reads.
 */
export async function load<T>(data: Promise<T>, failed: string): Promise<T> {
  try {
    return await data
  } catch (error) {
    const { code, message, gone } = error as { code?: unknown; message?: string; gone?: boolean }
    if (code === 'NOT_FOUND') throw render(gone ? 410 : 404, message ?? failed)
    throw render(503, failed)
  }
}
