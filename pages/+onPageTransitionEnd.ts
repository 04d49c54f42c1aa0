export { endNavigation as default } from '#src/lib/slowNavigation.ts'
