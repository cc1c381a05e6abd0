/** The fields as they are filled in, for the printed page. */
import { find, findAll } from './dom.js';

/** The label of a field, without its mark. */
export const nameOf = (name) =>
  find(`[data-field="${name}"] label`)?.firstChild.textContent.trim().toLowerCase() ?? name;

const textOf = (field) => {
  const select = find('select', field);
  if (select) return select.selectedOptions[0]?.textContent ?? '';
  const input = find('input', field);
  return input.value === '' ? '' : `${input.value} ${find('.unit', field)?.textContent ?? ''}`.trim();
};

/** Names and values of every visible field that has one; what was assumed says so. */
export const settingsOf = () => [
  ...findAll('.field')
    .filter((field) => !field.closest('[hidden]'))
    .map((field) => [
      nameOf(field.dataset.field),
      `${textOf(field)}${field.hasAttribute('data-assumed') ? ' (assumed)' : ''}`,
    ])
    .filter(([, text]) => text !== ''),
  ...findAll('.items:not([hidden]) input:checked').map((box) => [box.name.toUpperCase(), box.value]),
];
