export default { error: 'This page could not be loaded' }
