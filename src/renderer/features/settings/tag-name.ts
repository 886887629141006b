/** As in the contract: letters of any script, digits, emoji, `_`, `-` and `/`. */
export const tagName = /^[\p{L}\p{N}\p{Emoji}_\-/]+$/u;
