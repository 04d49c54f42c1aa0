export { endNavigation as default } from '#src/lib/navigation.ts'
