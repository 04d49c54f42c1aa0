import { createDataPage } from '#pages/dataPage.tsx'
import { BlogPostScreen } from '#src/features/site/BlogScreen.tsx'
import type { Data } from './+data.ts'

export default createDataPage<Data>(function Post({ data }) {
  return <BlogPostScreen post={data} />
})
