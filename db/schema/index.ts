export * from './auth.ts'
export * from './board.ts'
export * from './site.ts'
