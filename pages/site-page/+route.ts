/** Matches the operator's pages, such as `/rules`. Routes without parameters go first. */
export default '/@slug'
