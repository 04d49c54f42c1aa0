/**
 * Every address that is no page's. With a page of its own the client router shows 'Page not found' itself; without one
 * it would load the address anew, and the radio would stop.
 */
export default '/*'
