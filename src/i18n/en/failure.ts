export default {
  again: '{tryAgain} or go to the {homePage}.',
  back: 'Go back to try again, or go to the {homePage}.',
  homePage: 'home page',
  needsNetwork: 'This page needs the network. Try again when you are connected.',
  noNetwork: 'No network',
  offline: 'You are offline',
  title: 'Error {status}',
  tryAgain: 'Try again',
} as const
