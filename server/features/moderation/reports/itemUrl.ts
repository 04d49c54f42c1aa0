import { errors } from '#server/core/errors.ts'
import { refusal } from '#src/contract/refusal.ts'

/** The item that a URL of this site refers to. The item may not exist. */
export type ItemReference =
  | { kind: 'post'; boardId: string; threadId: number; postId: number }
  /** `path` contains the fragment, which can be the key of a paste encrypted in a browser */
  | { kind: 'paste'; id: string; path: string }
  | { kind: 'image'; id: string }
  | { kind: 'program'; id: number }
  /** an image file of a post or a shared image */
  | { kind: 'file'; name: string }

const NUMBER = '[1-9]\\d{0,14}'
const THREAD = new RegExp(`^/dtpchan/board/([a-z0-9-]{1,40})/thread/(${NUMBER})(?:/feed\\.atom)?$`)
const POST_FRAGMENT = new RegExp(`^#p?(${NUMBER})$`)
const PROGRAM_FRAGMENT = new RegExp(`^#program-(${NUMBER})$`)
const PASTE = /^\/(?:api\/)?paste\/([^/]+)(?:\/raw)?$/
const IMAGE = /^\/(?:api\/)?image-share\/([^/]+)$/
const FILE = /^\/dtpchan\/uploads\/([^/]+)$/

/**
 * Parses a URL or a path of this site.
 * @param postNumber names a post of the thread, for clients without a URL with a fragment
 * @throws AppError 400 for a URL of another site, or of a page that cannot be reported
 */
export function parseItemUrl(text: string, siteUrl: string, postNumber?: string): ItemReference {
  const { path, hash } = parsePath(text, siteUrl)
  const thread = THREAD.exec(path)
  if (thread) {
    const [, boardId = '', threadId] = thread
    const postId = postNumber ?? POST_FRAGMENT.exec(hash)?.[1] ?? threadId
    return { kind: 'post', boardId, threadId: Number(threadId), postId: Number(postId) }
  }
  const [, pasteId] = PASTE.exec(path) ?? []
  if (pasteId) return { kind: 'paste', id: pasteId, path: `/paste/${pasteId}${hash}` }
  const [, imageId] = IMAGE.exec(path) ?? []
  if (imageId) return { kind: 'image', id: imageId }
  const [, name] = FILE.exec(path) ?? []
  if (name) return { kind: 'file', name }
  const [, programId] = (path === '/programs-we-love' && PROGRAM_FRAGMENT.exec(hash)) || []
  if (programId) return { kind: 'program', id: Number(programId) }
  throw errors.badRequest(refusal('moderation.reportUnknown'))
}

/** Accepts a path, a URL, and a URL without its scheme, as people copy it. */
function parsePath(text: string, siteUrl: string): { path: string; hash: string } {
  const given = /^([a-z][a-z0-9+.-]*:\/\/|\/)/i.test(text) ? text : `https://${text}`
  const { host } = new URL(siteUrl)
  const url = URL.canParse(given, siteUrl) ? new URL(given, siteUrl) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.host.toLowerCase() !== host.toLowerCase()) {
    throw errors.badRequest(refusal('moderation.reportForeign'))
  }
  return { path: url.pathname.replace(/(?<=.)\/$/, ''), hash: url.hash }
}
