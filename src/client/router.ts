// The packed client has generated types in place of this file (build/client.mjs), because these import server code.
// Imports in this folder are relative: `#` belongs to the package, and this folder is one of its own.

export type { AppRouter as SiteRouter } from '../../server/router.ts'
export type { PostView } from '../contract/post.ts'
export type { ThreadPage } from '../contract/thread.ts'
export type { PackedThread } from '../lib/packedThread.ts'
