import type { Preview } from '#pages/head.ts'
import { fromData } from '#pages/pageData.ts'
import type { Data } from './+data.ts'

// Whoever was given the link shall see what it is; it is in no index all the same.
export default fromData<Data, Preview>(({ share }) => ({ image: { ...share.preview, alt: 'Shared image' } }), {})
