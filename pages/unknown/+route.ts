/** Matches all unknown URLs, so that the client router shows the error page: a full page load would stop the radio. */
export default '/*'
