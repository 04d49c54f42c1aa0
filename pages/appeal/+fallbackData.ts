export default { error: 'The form could not be loaded' }
