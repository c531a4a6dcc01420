/** Embeds and attachments: what messages carried before containers, and still may. */

import { covered, fileCard, picture } from "../components/components.js";
import { hex } from "../elements/colours.js";
import { el } from "../elements/element.js";
import { richText } from "../text/rich-text.js";
import { messageTime } from "../text/timestamps.js";

export function drawEmbed(embed, around) {
  const box = el(
    "div",
    { class: "embed" },
    el(
      "div",
      { class: "embed-words" },
      embed.author?.name && el("div", { class: "embed-author" }, embed.author.name),
      embed.title && richText(embed.title, around, "embed-title"),
      embed.description && richText(embed.description, around, "embed-description"),
      embed.fields?.length
        ? el(
            "div",
            { class: "embed-fields" },
            embed.fields.map((field) => drawField(field, around)),
          )
        : null,
      embed.image?.url && picture(embed.image, embed.image.description, false, "embed-image"),
      footer(embed),
    ),
    embed.thumbnail?.url && picture(embed.thumbnail, embed.thumbnail.description, false, "thumbnail"),
  );
  if (embed.color) box.style.setProperty("--accent", hex(embed.color));
  return box;
}

function drawField(field, around) {
  return el(
    "div",
    { class: field.inline ? "embed-field inline" : "embed-field" },
    richText(field.name, around, "embed-field-name"),
    richText(field.value, around),
  );
}

function footer(embed) {
  if (!embed.footer?.text && !embed.timestamp) return null;
  const words = [
    embed.footer?.text && el("span", {}, embed.footer.text),
    embed.timestamp && messageTime(embed.timestamp),
  ];
  return el("div", { class: "embed-footer" }, words);
}

export function drawAttachment(attachment) {
  const { url, filename, description, size } = attachment;
  const isPicture = (attachment.content_type ?? "").startsWith("image/");
  const isSpoiler = filename.startsWith("SPOILER_");
  if (isPicture) return picture(attachment, description, isSpoiler, "attachment");
  return isSpoiler ? covered(fileCard(filename, size, url)) : fileCard(filename, size, url);
}
