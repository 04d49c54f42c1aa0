import { type Feed, FeedUnreadable } from './types.ts'

/**
 * Reads a feed of any kind (RSS 0.9 to 2.0, RDF, Atom, JSON Feed) from its bytes as they came.
 * @param contentType header of the answer, for its charset
 * @param url where it was read from: relative addresses in it begin there
 * @throws FeedUnreadable
 */
export function readFeed(_bytes: Uint8Array, _from: { contentType?: string | undefined; url: URL }): Feed {
  throw new FeedUnreadable('not yet')
}
