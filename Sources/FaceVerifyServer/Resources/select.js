/** The selection of the document. */
import { h } from "./dom.js";
import { actions, button, title } from "./parts.js";
import { pictogram } from "./pictograms.js";
import { country, likely, number, t } from "./words.js";

/** Number of countries above which there is a search field. */
const MANY = 12;
/** Normalises text for searching: no case, accents or punctuation. */
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replace(/ł/g, "l").replace(/ı/g, "i").replace(/[^\p{L}\p{N}]+/gu, " ").trim();

export function selection(page, view) {
  const countries = [...new Set(view.choices.map(({ country: code }) => code))];
  const named = countries.map((code) => [code, country(code)]).sort((a, b) => a[1].localeCompare(b[1], document.documentElement.lang));
  const note = h("p", { class: "note", role: "alert" }), kinds = h("div", { class: "kinds" }), found = h("p", { class: "fine", role: "status" });
  const chosen = { country: countries.length === 1 ? countries[0] : likely(countries) ?? "", type: "", variant: "" };
  const radios = (name, legend, values, icon) => h("fieldset", {}, h("legend", {}, t(legend)), h("div", { class: "choices row" }, values.map((value) =>
    h("label", { class: "choice" }, h("input", { type: "radio", name, value, checked: chosen[name] === value,
      change: () => { chosen[name] = value; draw(); } }), icon && h("span", { class: "badge" }, pictogram(value)), h("strong", {}, t(`${name}.${value}`))))));
  const draw = () => {
    const focused = document.activeElement?.value;
    const fits = view.choices.filter(({ country: code }) => code === chosen.country);
    const types = [...new Set(fits.map(({ type }) => type))];
    if (!types.includes(chosen.type)) chosen.type = types.length === 1 ? types[0] : "";
    const variants = fits.filter(({ type }) => type === chosen.type).map(({ variant }) => variant);
    if (!variants.includes(chosen.variant)) chosen.variant = variants.length === 1 ? variants[0] : "";
    kinds.replaceChildren(...[types.length && radios("type", "select.type", types, true),
      variants.length > 1 && radios("variant", "select.variant", variants)].filter(Boolean));
    [...kinds.querySelectorAll("input")].find(({ value }) => value === focused)?.focus();
  };
  const go = () => {
    const choice = view.choices.find((one) => ["country", "type", "variant"].every((name) => one[name] === chosen[name]));
    if (choice) page.act([{ call: "configure", ...choice }]);
    else note.textContent = t("select.missing");
  };
  const choose = (code) => { chosen.country = code; note.textContent = ""; draw(); };
  const menu = h("select", { change: ({ target }) => choose(target.value) });
  const list = (some, isOpen) => {
    menu.replaceChildren(...countries.length > 1 && !isOpen ? [h("option", { value: "" }, t("select.choose"))] : [],
      ...some.map(([code, name]) => h("option", { value: code, selected: code === chosen.country }, name)));
    if (isOpen) menu.size = Math.min(some.length, 6);
    else menu.removeAttribute("size");
  };
  /** Matches the beginning of a word or the code, and selects a single match. The list opens if the browser allows it. */
  const search = ({ target }) => {
    const sought = plain(target.value), some = named.filter(([code, name]) => plain(code) === sought || ` ${plain(name)}`.includes(` ${sought}`));
    if (!some.some(([code]) => code === chosen.country)) choose(some.length === 1 ? some[0][0] : "");
    list(some, sought && some.length > 1);
    found.textContent = sought ? t("select.found", { n: number(some.length) }) : "";
  };
  list(named);
  draw();
  // The list needs the emblem's space.
  return [[title(t("select.title"), countries.length <= MANY && "id-card"),
    countries.length > MANY && h("div", {}, h("label", { class: "field" }, h("span", {}, t("select.search")),
      h("input", { type: "search", autocomplete: "off", spellcheck: "false", input: search })), found),
    h("label", { class: "field" }, h("span", {}, t("select.country")), menu),
    kinds, note, actions(button(t("next"), go))]];
}
