/** Commands as somebody sees them: with the names and descriptions that the bot gave them in the person's locale. */

/**
 * @param {Array<Object>|null} commands Discord's application commands, their options, or an option's choices
 * @param {string} locale
 * @returns {Array<Object>} the same, in the locale; `key` is each one's own name, which is what is sent, and `told` its own
 *   description
 */
export function localized(commands, locale) {
  return (commands ?? []).map((each) => ({
    ...each,
    key: each.name,
    name: each.name_localizations?.[locale] ?? each.name,
    told: each.description ?? "",
    description: each.description_localizations?.[locale] ?? each.description ?? "",
    options: localized(each.options, locale),
    choices: localized(each.choices, locale),
  }));
}
