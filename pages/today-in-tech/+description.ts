import { derivedFromData } from '#pages/pageData.ts'
import type { Data } from './+data.ts'

const GENERAL = 'Technology and security headlines from the sites an IRC community reads, newest first.'

export default derivedFromData<Data>(({ source, pagination: { currentPage, totalPages } }) => {
  const text =
    source === null ? GENERAL : `Recent headlines from ${source}, newest first, gathered by an IRC community.`
  return currentPage > 1 ? `${text} Page ${currentPage} of ${totalPages}.` : text
}, GENERAL)
