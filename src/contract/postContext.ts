export type { PostContext, PostSurroundings } from './postContextAnswers.ts'
