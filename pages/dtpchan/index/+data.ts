import type { PageContextServer } from 'vike/types'
import { loadPageData } from '#pages/pageData.ts'
import { t } from '#src/i18n/t.ts'

export type Data = Awaited<ReturnType<typeof data>>

export const data = ({ api }: PageContextServer) => loadPageData(api.board.overview(), t('board.loadBoards'))
